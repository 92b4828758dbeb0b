import { CASED_LETTERS, foldWord } from './fold-word.ts';

const BEYOND_ASCII = /[\u0080-\uFFFF]/;
const FOLDABLE = new RegExp(`[A-Z]+|[${CASED_LETTERS}]`, 'g');
const folds = new Map<string, string>();

/** Folds the words of an NFC text as `foldWord` does, unit for unit: offsets into the result are offsets into the text. */
export function foldInPlace(text: string): string {
  return BEYOND_ASCII.test(text) ? text.replaceAll(FOLDABLE, foldUnits) : text.toLowerCase();
}

function foldUnits(units: string): string {
  if (units.charCodeAt(0) < 0x80) return units.toLowerCase();
  let fold = folds.get(units);
  if (fold === undefined) folds.set(units, (fold = foldLetter(units)));
  return fold;
}

function foldLetter(letter: string): string {
  const fold = foldWord(letter);
  return fold.length === 1 ? fold : letter;
}
