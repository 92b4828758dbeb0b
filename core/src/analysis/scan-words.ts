import { CJK_LETTERS } from './cjk-letters.ts';

/** A word, or a run of Han, Hangul or kana, and where it stands in the NFC text. */
export interface ScannedWord {
  readonly kind: 'word' | 'cjk';
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const UNITS = new RegExp(`([${CJK_LETTERS}]+)|(?:(?![${CJK_LETTERS}])[\\p{L}\\p{N}\\p{M}_])+`, 'gu');
const HOLDS_LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/** The words of an NFC text in order: runs of letters, digits, marks and `_`, cut where a run of Han, Hangul or kana begins or ends. */
export function scanWords(text: string): readonly ScannedWord[] {
  const words: ScannedWord[] = [];
  for (const match of text.matchAll(UNITS)) {
    const [unit, cjk] = match;
    if (cjk === undefined && !HOLDS_LETTER_OR_DIGIT.test(unit)) continue;
    words.push({
      kind: cjk === undefined ? 'word' : 'cjk',
      text: unit,
      start: match.index,
      end: match.index + unit.length,
    });
  }
  return words;
}
