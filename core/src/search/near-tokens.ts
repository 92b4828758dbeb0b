import editDistance from 'damerau-levenshtein';
import { bigrams } from '../analysis/cjk-run.ts';
import type { AbortOptions } from '../contracts/contribution.ts';
import type { IndexToken, LexicalIndex } from '../contracts/lexical-index.ts';
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

/** The vocabulary of one index at one corpus revision; undefined until it is read. */
export interface VocabularyMemory {
  known?: { readonly index: LexicalIndex; readonly revision: number; readonly vocabulary: Vocabulary } | undefined;
}

/** Larger vocabularies are not cached: each token takes 13 bytes and its characters. */
const MAX_REMEMBERED = 1_000_000;

/** The vocabulary of an index, read once per corpus revision; null when an index cannot list it. */
export async function vocabularyOf(
  { index, revision }: { readonly index: LexicalIndex; readonly revision: number },
  memory: VocabularyMemory,
  options: AbortOptions,
): Promise<Vocabulary | null> {
  const { known } = memory;
  if (known?.index === index && known.revision === revision) return known.vocabulary;
  memory.known = undefined;
  const tokens = await index.vocabulary?.(options);
  if (tokens === undefined) return null;
  const vocabulary = new Vocabulary(tokens);
  if (vocabulary.size <= MAX_REMEMBERED) memory.known = { index, revision, vocabulary };
  return vocabulary;
}

/** How many are looked up: each costs a one-word search. */
const MAX_TOKENS = 6;

/** A token that may be near. */
interface Candidate {
  readonly token: string;
  readonly letters: string;
  readonly chunks: number;
  /** A lower bound of its distance. */
  readonly bound: number;
  /** Its position in the vocabulary. */
  readonly place: number;
}

/** The tokens of an index, packed: as objects, 200,000 take 30 MB, and iterating over them takes a tenth of a second. */
class Vocabulary {
  readonly #blocks: readonly Block[];

  constructor(tokens: Iterable<IndexToken>) {
    this.#blocks = [...blocksOf(tokens)];
  }

  /** The number of tokens. */
  get size(): number {
    return this.#blocks.reduce((sum, { count }) => sum + count, 0);
  }

  /** The tokens that a misspelt word may have meant, nearest first, ties by frequency. */
  near({ word, kind, letters }: Misspelt): readonly NearToken[] {
    const wanted = kind === 'cjk' ? bigrams(word).map(lettersOf) : [tokensOf(word)[0] ?? word, letters];
    const limit = maxDistance(letters) + (kind === 'cjk' ? 0 : 1); // a stem may lack the ending of the word
    const found: (NearToken & Pick<Candidate, 'place'>)[] = [];
    let reached = 0;
    for (const { token, letters: other, chunks, bound, place } of this.#candidates(wanted.map(soughtOf), limit)) {
      if (bound > reached && found.filter(({ distance }) => distance < bound).length >= MAX_TOKENS) break;
      reached = bound;
      const distance = Math.min(...wanted.map((one) => editDistance(one, other).steps));
      if (distance <= limit) found.push({ token, chunks, distance, place });
    }
    return found
      .toSorted((a, b) => a.distance - b.distance || b.chunks - a.chunks || a.place - b.place)
      .slice(0, MAX_TOKENS);
  }

  /** Lowest bound first. */
  #candidates(sought: readonly Sought[], limit: number): readonly Candidate[] {
    const candidates: Candidate[] = [];
    for (const [number, block] of this.#blocks.entries()) {
      for (let at = 0; at < block.count; at++) {
        if (!sought.some((one) => mayBeNear(one, block, at, limit))) continue;
        const token = block.text.slice(at === 0 ? 0 : block.ends[at - 1], block.ends[at]);
        const letters = lettersOf(token);
        const bound = Math.min(...sought.map((one) => leastDistance(one, letters)));
        const place = number * BLOCK + at;
        if (bound <= limit) candidates.push({ token, letters, chunks: block.chunks[at] as number, bound, place });
      }
    }
    return candidates.toSorted((a, b) => a.bound - b.bound);
  }
}

/** A word to compare tokens with. */
interface Sought {
  readonly length: number;
  readonly mask: number;
  /** The number of occurrences of each letter class. */
  readonly occurrences: Uint8Array;
}

const CLASSES = 32;

function soughtOf(letters: string): Sought {
  const occurrences = new Uint8Array(CLASSES);
  for (let at = 0; at < letters.length; at++) occurrences[letters.charCodeAt(at) % CLASSES]!++;
  return { length: letters.length, mask: maskOf(letters), occurrences };
}

/** Compares lengths, and the letters that only one of them has: each of these must be changed. */
function mayBeNear({ length, mask }: Sought, { lengths, masks }: Block, at: number, limit: number): boolean {
  if (Math.abs(length - (lengths[at] as number)) > limit) return false;
  const other = masks[at] as number;
  return bitsOf(mask & ~other) <= limit && bitsOf(other & ~mask) <= limit;
}

/** The number of letters that are not in both, regardless of order: a lower bound of the distance. */
function leastDistance({ length, occurrences }: Sought, letters: string): number {
  const left = occurrences.slice();
  let shared = 0;
  for (let at = 0; at < letters.length; at++) {
    const letter = letters.charCodeAt(at) % CLASSES;
    if (left[letter] === 0) continue;
    left[letter]!--;
    shared++;
  }
  return Math.max(length, letters.length) - shared;
}

/** The letters that occur, in 32 classes. */
function maskOf(letters: string): number {
  let mask = 0;
  for (let at = 0; at < letters.length; at++) mask |= 1 << (letters.charCodeAt(at) % CLASSES);
  return mask;
}

function bitsOf(mask: number): number {
  let bits = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) bits++;
  return bits;
}

const BLOCK = 4096;
/** Longer tokens are not near any word that is looked up, so their exact length does not matter. */
const LONGEST = 255;

/** A block of tokens of a vocabulary. */
interface Block {
  readonly count: number;
  /** All tokens, concatenated, and where each ends. */
  readonly text: string;
  readonly ends: Uint32Array;
  readonly chunks: Uint32Array;
  /** The number of letters of each token, and which letters. */
  readonly lengths: Uint8Array;
  readonly masks: Int32Array;
}

function* blocksOf(tokens: Iterable<IndexToken>): Generator<Block, void, undefined> {
  let some: IndexToken[] = [];
  for (const token of tokens) {
    if (some.push(token) < BLOCK) continue;
    yield toBlock(some);
    some = [];
  }
  if (some.length > 0) yield toBlock(some);
}

function toBlock(tokens: readonly IndexToken[]): Block {
  const letters = tokens.map(({ token }) => lettersOf(token));
  let end = 0;
  return {
    count: tokens.length,
    text: tokens.map(({ token }) => token).join(''),
    ends: Uint32Array.from(tokens, ({ token }) => (end += token.length)),
    chunks: Uint32Array.from(tokens, ({ chunks }) => chunks),
    lengths: Uint8Array.from(letters, ({ length }) => Math.min(length, LONGEST)),
    masks: Int32Array.from(letters, maskOf),
  };
}
