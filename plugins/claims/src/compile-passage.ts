import { asciiDigits, UNDETERMINED, type PromptPassage, type TextRange } from '@kebab/core';
import { foldText, type FoldedText, isUnspaced, likelyLanguage } from './content-words.ts';
import { numeralsAsDigits } from './east-asian-numerals.ts';
import { baseAmount, relatedUnits } from './measures.ts';
import { readNumberWords, valueOfWord } from './number-words.ts';
import { namesAnyUnit, namesUnitAlone } from './units.ts';
import { hasDate, readDates, type DateReadings, type ReadDate } from './read-dates.ts';
import { canonical, readNumbers, type ReadNumber } from './read-numbers.ts';
import { mentionsPeriod } from './rates.ts';
import { findFoldedQuote } from './find-quotations.ts';
import { blanked } from './sorted-ranges.ts';

/** Whether a passage contains a number: `other_unit` means that it contains the number with another unit. */
export type NumberVerdict = (typeof VERDICTS)[number];
/** The weakest first. */
const VERDICTS = ['absent', 'other_unit', 'given'] as const;

/** A passage indexed for lookups. */
export interface CompiledPassage {
  readonly number: number;
  /** As written, without orders to the reader of the prompt. */
  readonly original: string;
  /** Its title, headings and path; empty for another text. */
  readonly head: string;
  /** Where it contains a folded quotation literally, with a null range in its context; null where it does not. */
  readonly quotes: (quotation: readonly string[]) => { readonly range: TextRange | null } | null;
  readonly gives: (number: ReadNumber) => NumberVerdict;
  /** The amount of it that a number is in another unit; null if there is none. */
  readonly converts: (number: ReadNumber) => string | null;
  readonly dates: (date: ReadDate) => boolean;
  /** Whether it is mostly in a script without lower case. */
  readonly isUnspaced: boolean;
}

/** Indexes a passage with the title, headings and path in its prompt header, without orders to the reader of the prompt. */
export function compilePassage({
  number,
  title,
  headingPath,
  path,
  orders,
  ...passage
}: PromptPassage): CompiledPassage {
  const text = blanked(passage.text, orders);
  const head = [title, ...headingPath, path].join('\n');
  return { ...compileText(`${text}\n${head}`, [foldText(text), foldText(head)]), number, head };
}

/** Indexes any text, such as a question, like a passage; `folded` is the text where quotations are looked up, and its context. */
export function compileText(original: string, folded: readonly FoldedText[] = [foldText(original)]): CompiledPassage {
  const read = once(() => readValues(original));
  // Folded text has no line feeds.
  const holds = remembered((parts: string) => {
    const quotation = parts === '' ? [] : parts.split('\n');
    const at = folded.findIndex((each) => findFoldedQuote(each, quotation) !== null);
    const [own] = folded;
    return at === -1 ? null : { range: at > 0 || own === undefined ? null : findFoldedQuote(own, quotation) };
  });
  return {
    number: 0,
    original,
    head: '',
    quotes: (quotation) => holds(quotation.join('\n')),
    gives: (wanted) => verdict(wanted, read()),
    converts: (wanted) => convertedIn(wanted, read()),
    dates: (date) => {
      const { values, dates } = read();
      return date.dates.every((readings) => hasDate(readings, dates, (year) => values.has(String(year))));
    },
    isUnspaced: isUnspaced(original),
  };
}

function readValues(original: string): Values {
  const { text } = numeralsAsDigits(
    asciiDigits(
      original
        .normalize('NFC')
        .replaceAll('\u2212', '-')
        .replaceAll(/[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}/g, ''),
    ),
  );
  const dates = readDates(text);
  const language = likelyLanguage(text, UNDETERMINED);
  const numbers = readNumbers(blanked(text, dates), language);
  const ambiguous = numbers.flatMap(({ alternatives, otherwise = [] }) =>
    otherwise.length === 0 ? [] : [...alternatives.flat(), ...otherwise],
  );
  return {
    text,
    dates: dates.flatMap((each) => each.dates),
    numbers,
    values: valuesOf(text, numbers, dates, language),
    ambiguous: new Set(ambiguous),
    namesUnit: remembered((unit: string) => namesUnitAlone(text, unit)),
  };
}

/** A value that is computed when it is first asked for. */
export function once<T>(compute: () => T): () => T {
  let known: { readonly value: T } | null = null;
  return () => (known ??= { value: compute() }).value;
}

/** Memoises a function: an answer asks for the same values a thousand times. */
export function remembered<T>(answer: (asked: string) => T): (asked: string) => T {
  const known = new Map<string, { readonly answer: T }>();
  return (asked) => {
    const found = known.get(asked) ?? { answer: answer(asked) };
    known.set(asked, found);
    return found.answer;
  };
}

/** The units of a value, wherever it occurs in a text; `bare` where it has no unit. */
interface Occurrence {
  readonly units: Set<string>;
  bare: boolean;
}

function valuesOf(
  text: string,
  numbers: readonly ReadNumber[],
  dates: readonly ReadDate[],
  language: string,
): ReadonlyMap<string, Occurrence> {
  const values = new Map<string, Occurrence>();
  const add = (value: string, units: readonly string[] = []): void => {
    const known = values.get(value) ?? { units: new Set<string>(), bare: false };
    if (units.length === 0) known.bare = true;
    for (const unit of units) known.units.add(unit);
    values.set(value, known);
  };
  for (const [at, number] of numbers.entries()) {
    const units = number.unit?.means ?? unitOfList(text, numbers, at);
    for (const value of number.alternatives.flat()) add(value, units);
    if (isCompound(text.slice(number.start, number.end), number)) addDigits(text, number, add);
    if (number.unscaled !== null) add(number.unscaled);
  }
  for (const date of dates) addDigits(text, date, add);
  // Part of `24.6~7월` may be copied as a decimal.
  for (const [decimal, hour = '', minute] of text.matchAll(/(?:(?<!\d)(\d{1,2})\.([0-5]\d)(?!\d)|\d+\.\d+)/g)) {
    add(canonical(decimal));
    // `9.30` may be a time.
    if (minute !== undefined) add(`t${Number(hour)}:${minute}`);
  }
  for (const { year, month, day } of dates.flatMap((each) => each.dates.flat()))
    for (const part of [year, month, day]) if (part !== undefined) add(String(part));
  // `5 million` does not contain a million, and `four days` no four months.
  const unscaled = blanked(
    text,
    numbers.filter(({ unscaled: scaled, unit }) => scaled !== null || unit !== null),
  );
  for (const { value } of readNumberWords(unscaled, { loose: true })) add(String(value));
  // Articles that are the number one as well.
  if (/(?<!\p{L})(?:un|una|une|ein|eine|een|um|uma|en|ett|bir)(?!\p{L})/iu.test(unscaled)) add('1');
  if (language !== 'en')
    for (const [word] of unscaled.matchAll(/\p{L}+(?:-\p{L}+)*/gu)) add(String(valueOfWord(word) ?? ''));
  return values;
}

/** Whether a number is written as several: a time, or `1조 3,000억`. */
function isCompound(written: string, { alternatives }: ReadNumber): boolean {
  return alternatives[0]?.[0]?.startsWith('t') === true || /\d[십백천만억조]/u.test(written);
}

/** The numbers inside a date, a time or a number of several parts, as written. */
function addDigits(text: string, { start, end }: TextRange, add: (value: string) => void): void {
  for (const [digits] of text.slice(start, end).matchAll(/\d+(?:,\d{3})*(?:\.\d+)?/g))
    add(canonical(digits.replaceAll(',', '')));
}

/** `5 to 6 km`, `5, 6 and 7 km`: a number takes the unit of the one it precedes. */
function unitOfList(text: string, numbers: readonly ReadNumber[], at: number): readonly string[] {
  const here = numbers[at];
  const next = numbers[at + 1];
  if (here === undefined || next === undefined) return [];
  const between = text.slice(here.end, next.start);
  if (
    !/^\s*(?:-|–|—|~|to|and|or|by|bis|und|oder|à|et|ou|al|y|o|e|até|tot|en|до|и|x|×|,|,\s*(?:and|or)|&|→|∼|에서|내지|및|또는)?\s*(?:[$€£¥₩]\s?)?$/u.test(
      between,
    )
  )
    return [];
  return next.unit?.means ?? unitOfList(text, numbers, at + 1);
}

/** The amount of a text that a number is in another unit: `eleven hours` for 660 minutes, or `240` below a head `Minutes` for 4 hours. */
function convertedIn({ alternatives, unit }: ReadNumber, { text, numbers, values }: Values): string | null {
  const sought = alternatives.flatMap((each) => (each.length === 1 ? [Number(each[0])] : []));
  for (const means of unit?.means ?? [])
    for (const value of sought) {
      const amount = baseAmount(value, means);
      const same = numbers.find(
        (number) =>
          number.unit?.means.includes(means) === false &&
          number.unit.means.some((other) =>
            number.alternatives.some(
              ([single = '', more]) =>
                more === undefined && amount !== null && baseAmount(Number(single), other) === amount,
            ),
          ) &&
          // The same digits with another unit are no conversion: `2.140` kilometres and metres.
          !number.alternatives.some(([single]) => single === String(value)),
      );
      if (same !== undefined) return text.slice(same.start, same.end);
      for (const [other, share] of relatedUnits(means)) {
        const bare = canonical(String(Number((value * share).toPrecision(12))));
        if (share !== 1 && values.get(bare)?.bare === true && namesAnyUnit(text, other)) return bare;
      }
    }
  return null;
}

/** What a text has to look up. */
interface Values {
  /** With digits and numerals in one form. */
  readonly text: string;
  readonly numbers: readonly ReadNumber[];
  readonly dates: readonly DateReadings[];
  readonly values: ReadonlyMap<string, Occurrence>;
  /** Both readings of each number whose separator marks thousands or a decimal. */
  readonly ambiguous: ReadonlySet<string>;
  /** Whether the text names a unit apart from any number. */
  readonly namesUnit: (written: string) => boolean;
}

function verdict(number: ReadNumber, { text, values, ambiguous, namesUnit }: Values): NumberVerdict {
  const wanted = number.unit?.means ?? [];
  const holds = (value: string): NumberVerdict => {
    // `once a day` is what happens daily.
    if (value === '1' && wanted.includes('times') && mentionsPeriod(text)) return 'given';
    const known = values.get(value);
    if (known === undefined) return 'absent';
    if (wanted.length === 0 || wanted.some((unit) => known.units.has(unit))) return 'given';
    // A number without a unit may have the unit of a heading or of a column, if the text names it at all.
    return known.bare && number.unit !== null && namesUnit(number.unit.written) ? 'given' : 'other_unit';
  };
  const verdicts = number.alternatives.map((all) => {
    const each = all.map(holds);
    return VERDICTS.find((weakest) => each.includes(weakest)) ?? 'given';
  });
  const { otherwise = [] } = number;
  if (otherwise.some((value) => ambiguous.has(value))) verdicts.push(...otherwise.map(holds));
  return VERDICTS.findLast((strongest) => verdicts.includes(strongest)) ?? 'absent';
}
