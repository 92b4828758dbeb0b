import { cjkWidths } from './cjk-run.ts';

/**
 * English function words, as folded by `foldWord`. No word for a thing or an action is among them, and none that a query can be about.
 */
const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  (
    'a an and any are as at be been before being but by can cannot could did do does each else every few for from given had ' +
    'has have having he her here his how i if in into is it its itself just less may me might more most much must my ' +
    'neither no nor not nothing of off on once one only or other others otherwise our out over own same she should since ' +
    'so some such than that the their them then there these they this those though through thus to too two under unless ' +
    'until up upon us very was we were what whatever when where whether which while who whole whom whose why will with ' +
    'within without would yet you your'
  ).split(' '),
);

/** Whether a folded word is an English function word, which says nothing about the subject of a query. */
export function isFunctionWord(word: string): boolean {
  return FUNCTION_WORDS.has(word);
}

/**
 * The letters that JavaScript and the tokenizer of the full-text index lower-case alike, as the contents of a character class. The case of
 * all others is left to the tokenizer.
 */
const CASED_LETTERS = String.raw`A-Z\u00C0-\u024F\u0370-\u037D\u0386-\u0527\u1E00-\u1EFF`;

const TO_LOWER = new RegExp(`[${CASED_LETTERS}]+`, 'g');
/** The diacritics that the tokenizer removes; it keeps those of `ǡ`. */
const MARKS = new RegExp(
  String.raw`([a-z])(?!(?<=a)\u0307\u0304)` +
    String.raw`[\u0300-\u0304\u0306-\u030C\u030F\u0311\u031B\u0323-\u0328\u032D\u032E\u0330\u0331]+`,
  'g',
);
const MAY_HAVE_MARKS = /[\u0300-\u036F\u00C0-\u024F\u1E00-\u1EFF]/;

/**
 * The form in which words are compared: NFC, lower case, and Latin letters without diacritics. Words that the tokenizer of the full-text
 * index folds to the same token have the same form.
 */
export function foldWord(word: string): string {
  const lower = word.normalize('NFC').replace(TO_LOWER, (letters) => letters.toLowerCase());
  if (!MAY_HAVE_MARKS.test(lower)) return lower;
  return lower.normalize('NFD').replaceAll(MARKS, '$1').normalize('NFC');
}

const BEYOND_ASCII = /[\u0080-\uFFFF]/;
const FOLDABLE = new RegExp(`[A-Z]+|[${CASED_LETTERS}]`, 'g');
const folds = new Map<string, string>();

/** Folds the words of an NFC text like `foldWord`, unit for unit, so that offsets into the result are offsets into the text. */
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

/** Whether a text has a letter or a digit. */
export function hasLetterOrDigit(text: string): boolean {
  return /[A-Za-z0-9]/.test(text) || /[\p{L}\p{N}]/u.test(text);
}

/** A word, or a run of Han, Hangul or kana, with its range in the NFC text. */
export interface ScannedWord {
  readonly kind: 'word' | 'cjk';
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The role of a character; a `joiner` continues a word, but does not form one by itself. */
type Role = 'cjk' | 'word' | 'joiner' | 'none';

/**
 * The words of an NFC text, in order: runs of letters, digits, marks and `_` with at least one letter or digit, split where a run of Han,
 * Hangul or kana begins or ends.
 */
export function scanWords(text: string): readonly ScannedWord[] {
  const words: ScannedWord[] = [];
  for (let at = 0; at < text.length;) {
    const start = at;
    const kind = roleAt(text, at) === 'cjk' ? 'cjk' : 'word';
    let isWord = false;
    for (; at < text.length; at += widthAt(text, at)) {
      const role = roleAt(text, at);
      if (role === 'none' || (role === 'cjk') !== (kind === 'cjk')) break;
      isWord ||= role !== 'joiner';
    }
    if (isWord) words.push({ kind, text: text.slice(start, at), start, end: at });
    else if (at === start) at += widthAt(text, at);
  }
  return words;
}

function roleAt(text: string, at: number): Role {
  const unit = text.charCodeAt(at);
  if (unit < 0x80) return isAsciiWord(unit) ? 'word' : unit === 0x5f ? 'joiner' : 'none';
  if (cjkWidths()[unit] !== 0) return 'cjk';
  const character = text.slice(at, at + widthAt(text, at));
  if (/[\p{L}\p{N}]/u.test(character)) return 'word';
  return /\p{M}/u.test(character) ? 'joiner' : 'none';
}

function isAsciiWord(unit: number): boolean {
  return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39) || (unit >= 0x41 && unit <= 0x5a);
}

function widthAt(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}
