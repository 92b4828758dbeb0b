import type { PdfConfig } from './pdf-config.ts';

/** Where usable text begins. */
export type UsableBounds = Pick<PdfConfig, 'minPageChars' | 'minValidRatio'>;

/** What says nothing, whatever the language: control, private and unassigned characters, halves of characters, U+FFFD. */
const UNUSABLE = /[\p{Cc}\p{Co}\p{Cn}\p{Cs}\uFFFD]/u;
const WHITE_SPACE = /\s/;

/**
 * Whether the text of a page is fit to be searched: at least `minPageChars` usable characters besides white space, and at
 * least `minValidRatio` of all characters usable. Judged by Unicode category alone, so that no language is preferred.
 */
export function isUsable(text: string, { minPageChars, minValidRatio }: UsableBounds): boolean {
  let [all, unusable, blank] = [0, 0, 0];
  for (const character of text) {
    all++;
    if (isLetter(character.charCodeAt(0))) continue;
    if (WHITE_SPACE.test(character)) blank++;
    else if (UNUSABLE.test(character)) unusable++;
  }
  const usable = all - unusable;
  return all > 0 && usable - blank >= minPageChars && usable / all >= minValidRatio;
}

/** Spares most characters the question. */
function isLetter(unit: number): boolean {
  return (unit > 0x40 && unit < 0x7b) || (unit >= 0xac00 && unit <= 0xd7a3);
}
