import type { TextRange } from '@kebab/core';

/** A fraction in a text; it is greater than 0 and not reduced. */
export interface ReadFraction extends TextRange {
  readonly above: number;
  readonly below: number;
  /** Whether it may be something else: `3/4` may be two numbers. */
  readonly isLoose: boolean;
}

const SIGNS: Readonly<Record<string, readonly [above: number, below: number]>> = {
  '½': [1, 2],
  '⅓': [1, 3],
  '⅔': [2, 3],
  '¼': [1, 4],
  '¾': [3, 4],
  '⅕': [1, 5],
  '⅖': [2, 5],
  '⅗': [3, 5],
  '⅘': [4, 5],
  '⅙': [1, 6],
  '⅛': [1, 8],
  '⅜': [3, 8],
  '⅝': [5, 8],
  '⅞': [7, 8],
};
const SIGN = new RegExp(`(?:(?<![\\d.,])(?<whole>\\d{1,3})\\s?)?(?<sign>[${Object.keys(SIGNS).join('')}])`, 'gu');
const SLASH = /(?<![\d.,/\p{L}-])(?:(?<whole>\d{1,2}) )?(?<above>\d{1,2})[/⁄](?<below>\d{1,2})(?![\d/\p{L}]|[.,]\d)/gu;
/** The fractions of a text, as signs and with a slash. */
export function readFractions(text: string): readonly ReadFraction[] {
  const signs = [...text.matchAll(SIGN)].map(({ 0: all, index, groups }) => {
    const [above, below] = SIGNS[groups?.['sign'] ?? ''] ?? [0, 1];
    return fraction(index, all, { whole: groups?.['whole'], above, below });
  });
  const slashes = [...text.matchAll(SLASH)].flatMap(({ 0: all, index, groups }) => {
    const [above, below] = [Number(groups?.['above']), Number(groups?.['below'])];
    return above === 0 || above >= below ? [] : [fraction(index, all, { whole: groups?.['whole'], above, below })];
  });
  return [...signs, ...slashes].toSorted((a, b) => a.start - b.start);
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
