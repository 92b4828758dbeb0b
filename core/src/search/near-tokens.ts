import editDistance from 'damerau-levenshtein';
import { bigrams } from '../analysis/cjk-run.ts';
import type { IndexToken, LexicalIndex, VocabularyOptions } from '../contracts/lexical-index.ts';
import { tokensOf } from '../relevance/query-weights.ts';

/** A word of a query that is not in the index. */
export interface Misspelt {
  readonly word: string;
  readonly kind: 'word' | 'cjk';
  /** The letters that distances are counted in; for Hangul the jamo of its syllables. */
  readonly letters: string;
}

/** A token that a misspelt word may have meant. */
export interface NearToken extends IndexToken {
  readonly distance: number;
}

/** Most tokens are ASCII, and normalising a vocabulary takes longer than everything else done with it. */
const ASCII = /^[\0-\x7f]*$/;

/** The letters of a word, with Hangul decomposed. */
export function lettersOf(word: string): string {
  return ASCII.test(word) ? word : word.normalize('NFD');
}

/** At most a third of the letters may differ, as for all other suggested names. */
export function maxDistance(letters: string): number {
  return Math.max(1, Math.floor(letters.length / 3));
}

/** How many are looked up: each costs a one-word search. */
const MAX_TOKENS = 6;

/**
 * The tokens of an index that each misspelt word may have meant, nearest first, ties by frequency, then in the order of the index; null when
 * an index cannot list its tokens, which are read once.
 */
export async function nearTokens(
  index: Pick<LexicalIndex, 'vocabulary'>,
  words: readonly Misspelt[],
  options: VocabularyOptions,
): Promise<readonly (readonly NearToken[])[] | null> {
  const tokens = await index.vocabulary?.(options);
  if (tokens === undefined) return null;
  const searches = words.map((word) => ({ limit: limitOf(word), forms: formsOf(word), near: [] as NearToken[] }));
  for (const { token, chunks } of tokens) {
    const letters = lettersOf(token);
    const mask = maskOf(letters);
    for (const { limit, forms, near } of searches) {
      if (!forms.some((form) => mayBeNear(form, { letters, mask }, limit))) continue;
      const distance = Math.min(...forms.map((form) => editDistance(form.letters, letters).steps));
      if (distance <= limit) near.push({ token, chunks, distance });
    }
  }
  return searches.map(({ near }) =>
    near.toSorted((a, b) => a.distance - b.distance || b.chunks - a.chunks).slice(0, MAX_TOKENS),
  );
}

/** A stem may lack the ending of the word. */
function limitOf({ kind, letters }: Misspelt): number {
  return maxDistance(letters) + (kind === 'cjk' ? 0 : 1);
}

/** A text to compare, and which letters occur in it, in 32 classes. */
interface Comparable {
  readonly letters: string;
  readonly mask: number;
}

/** The forms in which the index may store a word. */
function formsOf({ word, kind, letters }: Misspelt): readonly Comparable[] {
  const forms = kind === 'cjk' ? bigrams(word).map(lettersOf) : [tokensOf(word)[0] ?? word, letters];
  return forms.map((form) => ({ letters: form, mask: maskOf(form) }));
}

/** Compares lengths, and the letters that only one of them has, each of which must be changed: most tokens need no more. */
function mayBeNear(a: Comparable, b: Comparable, limit: number): boolean {
  if (Math.abs(a.letters.length - b.letters.length) > limit) return false;
  return bitsOf(a.mask & ~b.mask) <= limit && bitsOf(b.mask & ~a.mask) <= limit;
}

function maskOf(letters: string): number {
  let mask = 0;
  for (let at = 0; at < letters.length; at++) mask |= 1 << (letters.charCodeAt(at) % 32);
  return mask;
}

function bitsOf(mask: number): number {
  let bits = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) bits++;
  return bits;
}
