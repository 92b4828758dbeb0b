import { stemmer } from 'stemmer';
import type { IndexText } from '../analysis/index-text.ts';
import { foldWord } from '../analysis/fold-word.ts';
import { isLoneCjk } from '../analysis/cjk-run.ts';
import { scanWords } from '../analysis/scan-words.ts';

/** The index tokens of a chunk, to look words up in: folded and stemmed as the full-text index does it. */
export class SearchedWords {
  /** Tokens between single spaces; a bar ends each column, so that no sequence runs from one into the next. */
  readonly #tokens: string;

  constructor({ text, heading, symbol, cjk }: IndexText) {
    const columns = [text, heading, symbol].map((column) => tokensOf(column).join(' '));
    this.#tokens = ` ${[...columns, cjk.trim().replaceAll(/\s+/g, ' ')].join(' | ')} `;
  }

  /** Whether these tokens stand in the chunk in a row. A single character of Han, Hangul or kana may begin a longer token. */
  holds(tokens: readonly string[]): boolean {
    const row = tokens.join(' ');
    return row !== '' && this.#tokens.includes(isLoneCjk(tokens.at(-1) ?? '') ? ` ${row}` : ` ${row} `);
  }
}

/** The tokens that a stretch of text gives in a column of words: `_` and dots separate, words are folded and stemmed. */
export function tokensOf(text: string): readonly string[] {
  return scanWords(text.normalize('NFC')).flatMap(({ kind, text: word }) =>
    kind === 'cjk' ? [word] : word.split(/[._]/).flatMap((piece) => (piece === '' ? [] : [stemOf(foldWord(piece))])),
  );
}

/** The stem of a folded word, as the full-text index makes it: words with anything but Latin letters are their own. */
export function stemOf(word: string): string {
  return word.length > MAX_STEMMED || !/^[a-z]+$/.test(word) ? word : stemmer(word);
}

/** SQLite's `porter` leaves longer words as they are. */
const MAX_STEMMED = 64;
