import { stemmer } from 'stemmer';
import { utf8Length } from '../domain/text-size.ts';
import { cjkWidths } from './cjk-run.ts';
import { searchForm } from './search-form.ts';
import { foldWord, isFunctionWord, scanWords } from './words.ts';

/** A token of an index, as the tokenizer of SQLite's full-text index makes it (`porter unicode61 remove_diacritics 2`). */
export interface IndexedToken {
  /** Folded and stemmed; a bigram for scripts without spaces. */
  readonly token: string;
  /** Whether it is an English function word, which joins the words around it. */
  readonly isFunctionWord: boolean;
  /** The first character of a token of a script without spaces; null for all others. */
  readonly opening: string | null;
}

const PLAIN = /^[a-z0-9]+$/;
/** SQLite's `porter` leaves shorter and longer words unchanged. */
const MIN_STEMMED = 3;
const MAX_STEMMED = 64;

const MAX_KNOWN = 50_000;
const MAX_KNOWN_LENGTH = 40;
const known = new Map<string, IndexedToken>();

/**
 * The tokens of a column of an `IndexText`, or of the words of an analysed query, in order. An index that is not SQLite's stores these, so
 * that it finds the same passages.
 */
export function indexTokens(column: string): readonly IndexedToken[] {
  const tokens: IndexedToken[] = [];
  for (const word of column.match(/[\p{L}\p{N}\p{Co}\p{M}]+/gu) ?? []) {
    const token = tokenOf(word);
    if (token.token !== '') tokens.push(token);
  }
  return tokens;
}

function tokenOf(word: string): IndexedToken {
  let token = known.get(word);
  if (token === undefined) {
    const folded = foldToken(word);
    const stem = stemOf(folded);
    token = { token: stem, isFunctionWord: isFunctionWord(folded), opening: openingOf(stem) };
    if (word.length <= MAX_KNOWN_LENGTH) {
      if (known.size >= MAX_KNOWN) known.clear();
      known.set(word, token);
    }
  }
  return token;
}

function openingOf(token: string): string | null {
  const width = cjkWidths()[token.charCodeAt(0)] ?? 0;
  return width === 0 ? null : token.slice(0, width);
}

/** The letters that `foldWord` leaves to the tokenizer: final sigma, and letters with case beyond the common scripts. */
function foldToken(word: string): string {
  const lower = word.toLowerCase();
  return PLAIN.test(lower)
    ? lower
    : foldWord(word)
        .toLowerCase()
        .replaceAll('ς', 'σ')
        .replaceAll(/^\p{M}+$/gu, '');
}

/**
 * The stem of a folded word, as the full-text index computes it: SQLite's `porter` reads bytes, so that a letter beyond ASCII counts as two
 * or three consonants.
 */
export function stemOf(folded: string): string {
  if (!/[a-z]$/.test(folded)) return folded;
  const others = folded.match(BEYOND_ASCII);
  const bytes =
    others === null ? folded : folded.replaceAll(BEYOND_ASCII, (letter) => BYTES.slice(0, utf8Length(letter)));
  if (bytes.length < MIN_STEMMED || bytes.length > MAX_STEMMED) return folded;
  const stem = stemmer(bytes);
  let at = 0;
  return others === null ? stem : stem.replaceAll(LETTER_IN_BYTES, () => others[at++] ?? '');
}

const BEYOND_ASCII = /[^\0-\u007F]/gu;
/** Consonants that stand for the bytes of one letter; no two neighbours are equal, so that none is doubled. */
const BYTES = 'āăąć';
const LETTER_IN_BYTES = /ā[ăąć]*/g;

/**
 * The tokens of a text in a word column: `_` and dots separate, words are folded and stemmed. A word that `isRead` rejects is an empty token
 * in its place.
 */
export function tokensOf(text: string, isRead: (word: string) => boolean = () => true): readonly string[] {
  const tokens: string[] = [];
  const add = (word: string): void => {
    if (!isRead(word)) tokens.push('');
    else for (const piece of word.split('_')) if (piece !== '') tokens.push(stemOf(foldWord(piece)));
  };
  // Most texts are ASCII, where the words are those of a regular expression, which takes a fraction of the time.
  if (ASCII.test(text)) for (const word of text.match(/\w+/g) ?? []) add(word);
  else
    for (const { kind, text: word } of scanWords(searchForm(text))) {
      if (kind === 'cjk') tokens.push(word);
      else add(word);
    }
  return tokens;
}

const ASCII = /^[\0-\x7f]*$/;

/** The relative weights of the columns of an index. */
export const COLUMN_WEIGHTS = { text: 1, heading: 1.2, symbol: 2, cjk: 1 } as const;
