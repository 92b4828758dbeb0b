import editDistance from 'damerau-levenshtein';
import type { IndexText } from '../analysis/index-text.ts';
import { cjkWidths, isLoneCjk } from '../analysis/cjk-run.ts';
import { tokensOf } from '../analysis/index-tokens.ts';
import type { TermStats } from '../contracts/lexical-index.ts';
import type { QuestionWord } from './question-words.ts';

/** How the words of a question and a passage match; all but the counts from 0 to 1. */
export interface WordEvidence {
  /** The share of the question's weight that the passage contains. */
  readonly held: number;
  /** The share that this passage and its best complement contain together. */
  readonly heldByTwo: number;
  /** The share of neighbouring words of the question that appear close together, in order, in the passage. */
  readonly inOrder: number;
  /** The number of content words of the question. */
  readonly words: number;
  /** The number of chunks of the corpus. */
  readonly chunks: number;
}

/** A word of a question and its weight in a corpus, 0 to 1. */
export interface WeightedWord {
  readonly word: QuestionWord;
  readonly weight: number;
  /** The number of chunks that contain it; the minimum over its bigrams for a word of Hangul, Han or kana. */
  readonly frequency: number;
  /** Of each character of Hangul, Han or kana, that of the more frequent of its two bigrams; empty for other words. */
  readonly characterWeights: readonly number[];
}

/** The content words of a question with their weights in a corpus of `chunks` chunks. */
export interface WeightedQuestion {
  readonly words: readonly WeightedWord[];
  readonly chunks: number;
}

/** The share of a word's weight that comes from specificity; the rest comes from rarity in the corpus. */
const BY_SPECIFICITY = 0.3;
/** Words of Hangul, Han and kana weigh by their length: a run may be several words. */
const CHARACTERS_OF_A_WORD = 2;
/** The share for an unknown word of which the passage contains a near spelling. */
const HELD_BY_SPELLING = 0.8;
const MIN_RESPELT = 5;
const MIN_ROOT = 5;
const MIN_LAST_PART = 5;
const MIN_SHARE_OF_ROOT = 0.6;
const MIN_RESPELT_TWICE = 8;
/** How many of the passages that contain most are considered as the second passage. */
const PARTNERS = 10;
/** Neighbours are close when at most this many words lie between them. */
const WORDS_BETWEEN = 2;
const CJK_TOKENS_BETWEEN = 4;

/**
 * Weighs the words of a question by their specificity and by their rarity: `ln(1 + (N − df + 0.5) / (df + 0.5))`, relative to its maximum.
 */
export async function weighWords(
  words: readonly QuestionWord[],
  termStats: (tokens: readonly string[]) => TermStats | Promise<TermStats>,
): Promise<WeightedQuestion> {
  const asked = [...new Set(words.flatMap((word) => (word.kind === 'cjk' ? word.bigrams : [word.folded])))];
  const { chunks, df } = await termStats(asked);
  const frequencies = new Map(asked.map((token, at) => [token, df[at] ?? 0]));
  const frequencyOf = (token: string): number => frequencies.get(token) ?? 0;
  const most = rarity(chunks, 0);
  const rarityOf = (token: string): number => (most === 0 ? 1 : rarity(chunks, frequencyOf(token)) / most);
  const weightOf = (token: string): number => BY_SPECIFICITY + (1 - BY_SPECIFICITY) * rarityOf(token);
  const weighed = words.map((word): WeightedWord => {
    if (word.kind === 'word')
      return {
        word,
        weight: word.specificity * weightOf(word.folded),
        frequency: frequencyOf(word.folded),
        characterWeights: [],
      };
    const pairs = word.bigrams.map(weightOf);
    const characterWeights = isLoneCjk(word.stem)
      ? pairs
      : [...pairs, 1].map((weight, at) => Math.min(weight, pairs[at - 1] ?? 1));
    const weight = characterWeights.reduce((sum, each) => sum + each, 0) / CHARACTERS_OF_A_WORD;
    return { word, weight, frequency: Math.min(...word.bigrams.map(frequencyOf)), characterWeights };
  });
  return { words: weighed, chunks };
}

/** The rarity of a token that occurs in `frequency` of all chunks, in nats. */
function rarity(chunks: number, frequency: number): number {
  return Math.log(1 + Math.max(0, chunks - frequency + 0.5) / (frequency + 0.5));
}

/** Measures each passage against the words of a question; one result per passage, in order. */
export function measurePassages(
  { words, chunks }: WeightedQuestion,
  passages: readonly IndexText[],
): readonly WordEvidence[] {
  const total = words.reduce((sum, { weight }) => sum + weight, 0) || 1;
  const beginnings = beginningsOf(words);
  const read = passages.map((passage) => new PassageWords(passage, beginnings));
  const shares = read.map((passage) => words.map((word) => passage.share(word)));
  const held = shares.map((own) => sumOf(words, own) / total);
  const partners = shares
    .map((own, at) => ({ own, held: held[at] ?? 0 }))
    .toSorted((a, b) => b.held - a.held)
    .slice(0, PARTNERS);
  return read.map((passage, at) => {
    const own = shares[at] ?? [];
    const together = partners.map((partner) => sumOf(words, own, partner.own) / total);
    return {
      held: held[at] ?? 0,
      heldByTwo: Math.max(held[at] ?? 0, ...together),
      inOrder: inOrder(words, own, passage),
      words: words.length,
      chunks,
    };
  });
}

/** How the words begin that can be those of a question; null where words that are only similar count as well. */
function beginningsOf(words: readonly WeightedWord[]): ReadonlySet<number> | null {
  const beginnings = new Set<number>();
  for (const { word, frequency } of words) {
    if (word.kind === 'cjk') continue;
    if (frequency === 0 && word.stems.length === 1) return null;
    for (const stem of [...word.stems, ...(word.parts ?? [])]) beginnings.add(beginningOf(stem, stem.length > 1));
  }
  return beginnings;
}

/** The first letters of an ASCII word as a number, without case; a stem has the same as its word. */
function beginningOf(word: string, isOfTwo: boolean): number {
  const second = isOfTwo ? word.charCodeAt(1) | 0x20 : 0;
  return ((word.charCodeAt(0) | 0x20) << 16) | second;
}

/** Most words of a passage are none of the question's, and folding and stemming them takes most of the time. */
function mayBegin(beginnings: ReadonlySet<number>, word: string): boolean {
  return (
    beginnings.has(beginningOf(word, word.length > 1)) ||
    beginnings.has(beginningOf(word, false)) ||
    word.charCodeAt(0) > 0x7f ||
    word.charCodeAt(1) > 0x7f ||
    word.includes('_')
  );
}

function sumOf(words: readonly WeightedWord[], shares: readonly number[], others: readonly number[] = []): number {
  return words.reduce((sum, { weight }, at) => sum + weight * Math.max(shares[at] ?? 0, others[at] ?? 0), 0);
}

function inOrder(words: readonly WeightedWord[], shares: readonly number[], passage: PassageWords): number {
  let all = 0;
  let near = 0;
  for (const [at, right] of words.entries()) {
    const left = words[at - 1];
    if (left?.word.kind !== right.word.kind) continue;
    const weight = Math.min(left.weight, right.weight);
    all += weight;
    const bothHeld = (shares[at - 1] ?? 0) > 0.5 && (shares[at] ?? 0) > 0.5;
    if (bothHeld && passage.areNear(left.word, right.word)) near += weight;
  }
  return all === 0 ? 0 : near / all;
}

/** The words of a passage, for looking up those of a question. */
class PassageWords {
  readonly #words: readonly string[];
  readonly #distinct: ReadonlySet<string>;
  readonly #cjk: readonly string[];
  readonly #pairs: ReadonlySet<string>;

  /** Words with other beginnings are not told apart. */
  constructor({ text, heading, symbol, cjk }: IndexText, beginnings: ReadonlySet<number> | null) {
    const isRead = beginnings === null ? undefined : (word: string): boolean => mayBegin(beginnings, word);
    this.#words = [text, heading, symbol].flatMap((column) => tokensOf(column, isRead));
    this.#distinct = new Set(this.#words);
    this.#cjk = [...cjk.split(/\s+/).filter((token) => token !== ''), ...this.#words.filter(isCjk)];
    this.#pairs = new Set(this.#cjk);
  }

  /** How much of a word the passage contains, 0 to 1. */
  share(weighted: WeightedWord): number {
    const { word } = weighted;
    if (word.kind === 'cjk') return this.#shareOfCharacters(word.bigrams, weighted.characterWeights);
    if (this.#holds(word.stems)) return 1;
    if (word.parts?.every((part) => this.#distinct.has(part)) === true) return 1;
    return weighted.frequency === 0 && word.stems.length === 1 && this.#holdsOtherForm(word.stems[0] ?? '')
      ? HELD_BY_SPELLING
      : 0;
  }

  /** Whether two words of a question follow each other within a few words. */
  areNear(left: QuestionWord, right: QuestionWord): boolean {
    if (left.kind === 'cjk' && right.kind === 'cjk') {
      const within = left.bigrams.length + CJK_TOKENS_BETWEEN;
      return follows(this.#cjk, { first: left.bigrams[0], second: right.bigrams[0], within });
    }
    if (left.kind !== 'word' || right.kind !== 'word') return false;
    return follows(this.#words, { first: left.stems.at(-1), second: right.stems[0], within: WORDS_BETWEEN + 1 });
  }

  /** The share of a run's characters that belong to a bigram of the passage. A bigram across the border of two words need not occur. */
  #shareOfCharacters(bigrams: readonly string[], weights: readonly number[]): number {
    const holds = bigrams.map((pair) => (isLoneCjk(pair) ? this.#beginsWith(pair) : this.#pairs.has(pair)));
    let held = 0;
    for (const [at, weight] of weights.entries()) if (holds[at] === true || holds[at - 1] === true) held += weight;
    return held / weights.reduce((sum, weight) => sum + weight, 0);
  }

  #beginsWith(character: string): boolean {
    return this.#cjk.some((token) => token.startsWith(character));
  }

  #holds(stems: readonly string[]): boolean {
    const [first = ''] = stems;
    if (!this.#distinct.has(first)) return false;
    if (stems.length === 1) return true;
    return this.#words.some((_, at) => stems.every((stem, i) => this.#words[at + i] === stem));
  }

  /**
   * Whether the passage has another form of this word: one with the same first letter one edit away, or two in a long word; one with the
   * same beginning (`arroser`, `arrosage`); or one that is its first or last part, or the reverse (`Urlaubsantrag`, `Antrag`).
   */
  #holdsOtherForm(stem: string): boolean {
    if (stem.length < MIN_RESPELT || /\p{N}/u.test(stem)) return false;
    const slips = stem.length >= MIN_RESPELT_TWICE ? 2 : 1;
    for (const word of this.#distinct)
      if (
        hasSameRoot(stem, word) ||
        (word[0] === stem[0] && Math.abs(word.length - stem.length) <= slips && editDistance(stem, word).steps <= slips)
      )
        return true;
    return false;
  }
}

function follows(
  tokens: readonly string[],
  {
    first,
    second,
    within,
  }: { readonly first: string | undefined; readonly second: string | undefined; readonly within: number },
): boolean {
  if (first === undefined || second === undefined) return false;
  for (let at = tokens.indexOf(first); at >= 0; at = tokens.indexOf(first, at + 1))
    if (tokens.slice(at + 1, at + 1 + within).includes(second)) return true;
  return false;
}

function hasSameRoot(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  if (short.length < MIN_ROOT) return false;
  if (long.startsWith(short) || (short.length >= MIN_LAST_PART && long.endsWith(short))) return true;
  let shared = 0;
  while (shared < short.length && short[shared] === long[shared]) shared++;
  return shared >= MIN_ROOT && shared >= MIN_SHARE_OF_ROOT * long.length;
}

/** Whether a token of a word column is a run of Han, Hangul or kana. */
function isCjk(token: string): boolean {
  return cjkWidths()[token.charCodeAt(0)] !== 0;
}
