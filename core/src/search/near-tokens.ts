import editDistance from 'damerau-levenshtein';
import { bigrams } from '../analysis/cjk-run.ts';
import type { IndexToken, LexicalIndex, VocabularyOptions } from '../contracts/lexical-index.ts';
import { tokensOf } from '../analysis/index-tokens.ts';

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

/** How many letters of a word are mistyped at once: a word that is only similar is another one. */
export function maxDistance(letters: string): number {
  return letters.length < 8 ? 1 : 2;
}

/** How many are looked up: each costs a one-word search. */
const MAX_TOKENS = 6;
/** How many of the nearest are counted in the documents that the caller may read; the vocabulary is that of all. */
const MAX_COUNTED = 64;

/** A word of fewer letters begins too many others. */
const MIN_BEGINNING = 5;

/**
 * The tokens of an index that a misspelt word may have meant, nearest first: what the word begins, and what has nearly its letters. Ties by
 * swapped letters, then by frequency, then in the order of the index; none when an index cannot list its tokens.
 */
export async function nearTokens(
  index: Pick<LexicalIndex, 'vocabulary' | 'termStats'>,
  word: Misspelt,
  { signal, beginning }: VocabularyOptions,
): Promise<readonly NearToken[]> {
  const forms = formsOf(word);
  const near = new Map<string, Near>();
  const starts = beginning === undefined ? beginningsOf(word) : [beginning];
  // At once, so that a server answers them together.
  const read = starts.map(async (start) => index.vocabulary?.({ signal, beginning: start }) ?? []);
  for (const tokens of await Promise.all(read))
    for (const { token, chunks } of tokens) {
      const found = compare(word, forms, token);
      if (found !== null) near.set(token, { token, chunks, ...found });
    }
  const nearest = [...near.values()].toSorted(byDistance).slice(0, MAX_COUNTED);
  const { df } = await index.termStats(nearest.map(({ token }) => asLookedUp(token, word.kind)));
  return nearest
    .map((one, at): Near => ({ ...one, chunks: Math.min(one.chunks, df[at] ?? 0) }))
    .filter(({ chunks }) => chunks > 0)
    .toSorted(byDistance)
    .slice(0, MAX_TOKENS)
    .map(({ token, chunks, distance }) => ({ token, chunks, distance }));
}

/** A token as a query names it. The stem of a stem may be another one: `respons`, of `response`, is looked up as a beginning. */
export function asLookedUp(token: string, kind: Misspelt['kind']): string {
  return kind === 'cjk' || tokensOf(token)[0] === token ? token : `${token}*`;
}

interface Near extends NearToken {
  /** Whether it has the same letters in another order. */
  readonly isSwapped: boolean;
}

function byDistance(a: Near, b: Near): number {
  return a.distance - b.distance || Number(b.isSwapped) - Number(a.isSwapped) || b.chunks - a.chunks;
}

function compare(
  word: Misspelt,
  forms: readonly Comparable[],
  token: string,
): Pick<Near, 'distance' | 'isSwapped'> | null {
  const letters = lettersOf(token);
  if (isBeginningOf(word, letters)) return { distance: 1, isSwapped: false };
  const mask = maskOf(letters);
  const limit = maxDistance(word.letters) + (word.kind === 'cjk' ? 0 : 1); // a stem may lack the ending of the word
  if (!forms.some((form) => mayBeNear(form, { letters, mask }, limit))) return null;
  const distance = Math.min(...forms.map((form) => editDistance(form.letters, letters).steps));
  const isSwapped = (): boolean => forms.some((form) => inOrder(form.letters) === inOrder(letters));
  return distance > limit ? null : { distance, isSwapped: isSwapped() };
}

/** Whether a word is the beginning of another one, as of a name that was not typed to its end. */
export function isBeginningOf({ kind, letters }: Misspelt, other: string): boolean {
  return (
    kind === 'word' && letters.length >= MIN_BEGINNING && other.length > letters.length && other.startsWith(letters)
  );
}

function inOrder(letters: string): string {
  return Array.from(letters).toSorted().join('');
}

const LATIN_OR_DIGIT = Array.from('abcdefghijklmnopqrstuvwxyz0123456789');

/**
 * The beginnings of what a word may have meant: its first letter, or what it is after one slip there, so that a large vocabulary is not read
 * whole. Other alphabets are, and of Han, Hangul and kana what begins with a character of the word or with one near the first.
 */
function beginningsOf({ word, kind, letters }: Misspelt): readonly string[] {
  const [first = '', second = '', third = ''] = letters;
  if (kind === 'cjk') return [...new Set([...Array.from(word).slice(0, -1), ...syllablesNear(word)])].toSorted();
  if (!/^[a-z\d]{3}/.test(letters)) return [''];
  const slips = [
    second + first,
    second + third,
    ...LATIN_OR_DIGIT.flatMap((one) => [one + second + third, one + first + second]),
  ];
  return [first, ...new Set(slips.filter((slip) => !slip.startsWith(first)))];
}

const FIRST_SYLLABLE = 0xac00;
/** The letters that begin, continue and end a syllable of Hangul; the last may be none. */
const JAMO = [19, 21, 28] as const;

/** The syllables that differ from the first one of a word of Hangul in one letter. */
function syllablesNear(word: string): readonly string[] {
  const index = word.charCodeAt(0) - FIRST_SYLLABLE;
  if (index < 0 || index >= JAMO[0] * JAMO[1] * JAMO[2]) return [];
  return JAMO.flatMap((count, place) => {
    const step = JAMO.slice(place + 1).reduce((product, one) => product * one, 1);
    const start = index - (Math.floor(index / step) % count) * step;
    return Array.from({ length: count }, (_, at) => String.fromCharCode(FIRST_SYLLABLE + start + at * step));
  });
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
