import { stemmer } from 'stemmer';
import { LRU } from 'tiny-lru';
import type { AnalysedQuery } from '../analysis/analyse-query.ts';
import type { TermStats } from '../contracts/lexical-index.ts';
import { analyseChunk, type IndexText } from '../analysis/index-text.ts';
import type { ChunkWithDocument } from '../contracts/document-store.ts';
import { isLoneCjk } from '../analysis/cjk-run.ts';
import { searchForm } from '../analysis/search-form.ts';
import { foldWord, scanWords } from '../analysis/words.ts';

/** A word, bigram or phrase of a query, and its weight. */
interface WeightedUnit {
  /** Sequences of index tokens; all must occur in a chunk. */
  readonly sequences: readonly (readonly string[])[];
  readonly weight: number;
}

/** A unit before its weight is known. */
interface Unit {
  readonly sequences: readonly (readonly string[])[];
  /** The queries for its frequency, one per sequence. */
  readonly tokens: readonly string[];
}

/**
 * The weight of each distinct word and phrase of a query: `ln(1 + (N − df + 0.5) / (df + 0.5))`, with N and df counted in chunks. A run of
 * Han, Hangul or kana weighs as much as its bigrams together, and counts by the share of them that is found: a noun is found even with
 * another particle.
 */
export async function queryWeights(
  query: AnalysedQuery,
  termStats: (tokens: readonly string[]) => Promise<TermStats>,
): Promise<readonly WeightedUnit[]> {
  const units = unitsOf(query);
  const allTokens = [...new Set(units.flatMap((unit) => unit.tokens))];
  const { chunks, df } = await termStats(allTokens);
  const frequencies = new Map(allTokens.map((token, at) => [token, df[at] ?? 0]));
  return units.map(({ sequences, tokens }) => {
    // A unit of several sequences is at most as frequent as the rarest of them.
    const frequency = Math.min(...tokens.map((token) => frequencies.get(token) ?? 0));
    return { sequences, weight: rarity(chunks, frequency) };
  });
}

/** The rarity of a token that occurs in `frequency` of all chunks, in nats. */
export function rarity(chunks: number, frequency: number): number {
  return Math.log(1 + Math.max(0, chunks - frequency + 0.5) / (frequency + 0.5));
}

/** The units of a query; two words with the same stem are one. */
function unitsOf({ terms, phrases }: AnalysedQuery): readonly Unit[] {
  const units = new Map<string, Unit>();
  const put = (unit: Unit): void => {
    const key = JSON.stringify(unit.sequences);
    if (unit.tokens.length > 0 && !units.has(key)) units.set(key, unit);
  };
  for (const term of terms) {
    if (term.kind === 'word') put({ sequences: [tokensOf(term.token)], tokens: [term.token] });
    if (term.kind === 'cjk') put({ sequences: [[term.token]], tokens: [term.token] });
  }
  for (const { parts } of phrases)
    put({
      sequences: parts.map(({ column, tokens }) =>
        column === 'cjk' ? tokens : tokens.flatMap((token) => tokensOf(token)),
      ),
      tokens: parts.map(({ tokens }) => tokens.join(' ')),
    });
  return [...units.values()];
}

/** The share of a query's weight that a chunk contains, 0 to 1; 0 for a query without words. */
export function lexicalRelevance(units: readonly WeightedUnit[], index: IndexText): number {
  const words = new SearchedWords(index);
  let held = 0;
  let all = 0;
  for (const { sequences, weight } of units) {
    all += weight;
    if (sequences.every((sequence) => words.holds(sequence))) held += weight;
  }
  return all === 0 ? 0 : Math.min(1, held / all);
}

/** The text by which a stored chunk is found, as far as the store keeps it: aliases and prefixes are not included. */
export function indexTextOf({ chunk, document }: ChunkWithDocument): IndexText {
  return analyseChunk({
    text: chunk.text,
    title: document.title,
    headingPath: chunk.headingPath,
    workspacePath: document.workspacePath,
    symbol: document.media === 'code' ? chunk.sectionLabel : null,
    extra: chunk.ordinal === 0 ? document.tags : [],
    prefix: null,
  });
}

/** The index tokens of a chunk, for lookups: folded and stemmed as the full-text index does it. */
class SearchedWords {
  /** Tokens separated by single spaces; a bar ends each column, so that no sequence crosses columns. */
  readonly #tokens: string;

  constructor({ text, heading, symbol, cjk }: IndexText) {
    const columns = [text, heading, symbol].map((column) => tokensOf(column).join(' '));
    this.#tokens = ` ${[...columns, cjk.trim().replaceAll(/\s+/g, ' ')].join(' | ')} `;
  }

  /** Whether these tokens occur in the chunk consecutively. A single character of Han, Hangul or kana may begin a longer token. */
  holds(tokens: readonly string[]): boolean {
    const row = tokens.join(' ');
    return row !== '' && this.#tokens.includes(isLoneCjk(tokens.at(-1) ?? '') ? ` ${row}` : ` ${row} `);
  }
}

/**
 * The tokens of a text in a word column: `_` and dots separate, words are folded and stemmed. A word that `isRead` rejects is an empty token
 * in its place.
 */
export function tokensOf(text: string, isRead: (word: string) => boolean = () => true): readonly string[] {
  const tokens: string[] = [];
  const add = (word: string): void => {
    if (isRead(word)) tokens.push(...tokensOfWord(word));
    else tokens.push('');
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

/** Words recur: a lookup takes a fifth of the time of folding and stemming. */
const knownWords = new LRU<readonly string[]>(4096);
/** For longer ones V8 keeps alive the text that they were cut from. */
const MAX_KNOWN = 12;

function tokensOfWord(word: string): readonly string[] {
  const known = word.length > MAX_KNOWN ? undefined : knownWords.get(word);
  if (known !== undefined) return known;
  const tokens = word.split(/[._]/).flatMap((piece) => (piece === '' ? [] : [stemOf(foldWord(piece))]));
  if (word.length <= MAX_KNOWN) knownWords.set(word, tokens);
  return tokens;
}

/** The stem of a folded word, as the full-text index computes it: words with other than Latin letters are not stemmed. */
export function stemOf(word: string): string {
  return word.length > MAX_STEMMED || !/^[a-z]+$/.test(word) ? word : stemmer(word);
}

/** SQLite's `porter` leaves longer words unchanged. */
const MAX_STEMMED = 64;
