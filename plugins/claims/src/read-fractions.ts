import type { TextRange } from '@kebab/core';
import { blanked, rangeOf } from './sorted-ranges.ts';
import { readNumberWords, valueOfWord } from './number-words.ts';

/** A fraction in a text; it is greater than 0 and not reduced. */
export interface ReadFraction extends TextRange {
  readonly above: number;
  readonly below: number;
  /** Whether it may be something else: `3/4` may be two numbers. */
  readonly isLoose: boolean;
  /** Where its unit follows; in words it counts only with one. */
  readonly unitFrom?: number;
}

/** Fractions that are one character, whose compatibility form is that of a fraction with a slash. */
const SIGN = /(?:(?<![\d.,])(?<whole>\d{1,3})\s?)?(?<sign>[¼-¾⅐-⅞])/gu;
const SLASH = /(?<![\d.,/\p{L}-])(?:(?<whole>\d{1,2}) )?(?<above>\d{1,2})[/⁄](?<below>\d{1,2})(?![\d/\p{L}]|[.,]\d)/gu;
/** Half of a unit that follows, in words. */
const HALF =
  /(?<!\p{L})(?:half(?: an?)?(?=\s(?:hours?|day|years?|month|mile|pint|lit|kilo|pound|dozen))|halbe[nrs]?|demi(?=-)|medi[oa]|mezz[ao]|mei[oa]|half(?=\s?(?:uur|jaar))|halv(?:t|e)?(?= )|pół|пол(?=час|год|литр|метр))(?!\p{L}(?<!пол\p{L}))|mezz['’](?=ora)|반(?=\s?(?:시간|년|달))|半(?=時間|日|年|[个個]?小[时時]|[个個]月|天|年)[个個]?/giu;
const HOURS =
  '(?:hours?|years?|minutes?|heures?|ans?|horas?|años?|anos?|or[ae]|anni|anno|days?|jours?|días?|dias?|giorn[oi])';
/** A half or a quarter after its number or its unit: `two and a half hours`, `deux heures et demie`, `一个半小时`; the group is the number. */
const AND_HALF = new RegExp(
  `(?<![\\p{L}\\d.,])(?:(?:bir buçuk|полтор[аы]|półtor(?:a|ej)|anderhalf|anderthalb)(?=\\s)|(?<spoken>\\d{1,3}|\\p{L}{2,12}) (?:and a (?:half|quarter)|buçuk)(?=\\s\\p{L})|(?<joined>\\p{L}{3,8})einhalb(?=\\s)|(?<one>an?|une?|una|uma|un['’]) ?${HOURS} (?:and a half|et demie?|y medi[ao]|e mezz[ao]|e mei[ao]|(?:and a|et|y|e|y un|e un|e um) (?:quarter|quart|cuarto|quarto))|(?<behind>\\d{1,3}|\\p{L}{2,12}) ${HOURS} (?:and a half|et demie?|y medi[ao]|e mezz[ao]|e mei[ao]|(?:and a|et|y|e|y un|e un|e um) (?:quarter|quart|cuarto|quarto)))(?!\\p{L})|(?<asian>\\d{1,3})(?:(?=\\s?시간\\s?반)|(?=時間半)|[个個]半(?=[小天月]))`,
  'giu',
);

/** The fractions of a text, as signs, with a slash and in words. */
export function readFractions(text: string): readonly ReadFraction[] {
  const halves = [...text.matchAll(AND_HALF)].flatMap(({ 0: all, index, groups = {} }) => {
    const { one, behind } = groups;
    const written = groups['spoken'] ?? groups['joined'] ?? behind ?? groups['asian'] ?? '1';
    const whole = /^\d/.test(written) ? Number(written) : wholeOf(written);
    if (whole === null) return [];
    const part = /(?:quart|cuart)/iu.test(all) ? 4 : 2;
    const unitFrom = index + ((one ?? behind)?.length ?? all.length);
    return [{ start: index, end: index + all.length, unitFrom, above: part * whole + 1, below: part, isLoose: false }];
  });
  const rest = blanked(text, halves);
  const spoken = [...rest.matchAll(HALF)].map((match) => {
    const range = rangeOf(match);
    return { ...range, unitFrom: range.end, above: 1, below: 2, isLoose: false };
  });
  const signs = [...text.matchAll(SIGN)].map(({ 0: all, index, groups }) => {
    const [above = 0, below = 1] = (groups?.['sign'] ?? '').normalize('NFKC').split('⁄').map(Number);
    return fraction(index, all, { whole: groups?.['whole'], above, below });
  });
  const slashes = [...text.matchAll(SLASH)].flatMap(({ 0: all, index, groups }) => {
    const [above, below] = [Number(groups?.['above']), Number(groups?.['below'])];
    return above === 0 || above >= below ? [] : [fraction(index, all, { whole: groups?.['whole'], above, below })];
  });
  return [...halves, ...spoken, ...signs, ...slashes].toSorted((a, b) => a.start - b.start);
}

function wholeOf(word: string): number | null {
  return valueOfWord(word) ?? readNumberWords(word, { loose: true })[0]?.value ?? null;
}

/** Without a whole number before it, a fraction may be two numbers. */
function fraction(
  start: number,
  written: string,
  { whole, above, below }: { readonly whole: string | undefined; readonly above: number; readonly below: number },
): ReadFraction {
  const isLoose = whole === undefined && /^\d/.test(written);
  return { start, end: start + written.length, above: Number(whole ?? 0) * below + above, below, isLoose };
}
