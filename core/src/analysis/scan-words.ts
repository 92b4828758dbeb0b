import { cjkWidths } from './cjk-run.ts';

/** A word, or a run of Han, Hangul or kana, and where it stands in the NFC text. */
export interface ScannedWord {
  readonly kind: 'word' | 'cjk';
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** What a character is part of; `joiner` goes on with a word, but is none by itself. */
type Role = 'cjk' | 'word' | 'joiner' | 'none';

/**
 * The words of an NFC text in order: runs of letters, digits, marks and `_` with at least one letter or digit, cut where a
 * run of Han, Hangul or kana begins or ends.
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
