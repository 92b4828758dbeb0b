/**
 * The letters whose lower case JavaScript and the tokenizer of the full-text index see alike, as the inside of a character
 * class. The case of all others is left to the tokenizer.
 */
const CASED_LETTERS = String.raw`A-Z\u00C0-\u024F\u0370-\u037D\u0386-\u0527\u1E00-\u1EFF`;

const TO_LOWER = new RegExp(`[${CASED_LETTERS}]+`, 'g');
/** The marks that the tokenizer drops; it overlooks `ǡ`. */
const MARKS = new RegExp(
  String.raw`([a-z])(?!(?<=a)\u0307\u0304)` +
    String.raw`[\u0300-\u0304\u0306-\u030C\u030F\u0311\u031B\u0323-\u0328\u032D\u032E\u0330\u0331]+`,
  'g',
);
const MAY_HAVE_MARKS = /[\u0300-\u036F\u00C0-\u024F\u1E00-\u1EFF]/;

/**
 * The form in which words are compared: NFC, lower case, and Latin letters without diacritics. It never tells apart what
 * the full-text index holds for one: both fold a word to the same token.
 */
export function foldWord(word: string): string {
  const lower = word.normalize('NFC').replace(TO_LOWER, (letters) => letters.toLowerCase());
  if (!MAY_HAVE_MARKS.test(lower)) return lower;
  return lower.normalize('NFD').replaceAll(MARKS, '$1').normalize('NFC');
}

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
