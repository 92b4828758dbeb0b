import { stemmer } from 'stemmer';
import { LRU } from 'tiny-lru';
import type { AnalysedQuery } from '../analysis/analyse-query.ts';
import type { TermStats } from '../contracts/lexical-index.ts';
import { analyseChunk, type IndexText } from '../analysis/index-text.ts';
import type { ChunkWithDocument } from '../contracts/document-store.ts';
import { isLoneCjk } from '../analysis/cjk-run.ts';
import { foldWord, scanWords } from '../analysis/words.ts';

/** One word, pair of characters or phrase of a query, and what finding it is worth. */
interface WeightedUnit {
  /** Sequences of index tokens; all must stand in a chunk. */
  readonly sequences: readonly (readonly string[])[];
  readonly weight: number;
}

/** A unit before its weight is known. */
interface Unit {
  readonly sequences: readonly (readonly string[])[];
  /** What the index is asked the frequency of, one for each sequence. */
  readonly asked: readonly string[];
}

/**
 * What each distinct word and phrase of a query weighs: `ln(1 + (N − df + 0.5) / (df + 0.5))`, with N and df counted in
 * chunks. A run of Han, Hangul or kana weighs as much as its pairs of characters together, so that it counts by the part of
 * them that is found: a noun is found although another particle follows it.
 */
export async function queryWeights(
  query: AnalysedQuery,
  termStats: (tokens: readonly string[]) => Promise<TermStats>,
): Promise<readonly WeightedUnit[]> {
  const units = unitsOf(query);
  const asked = [...new Set(units.flatMap((unit) => unit.asked))];
  const { chunks, df } = await termStats(asked);
  const frequencies = new Map(asked.map((token, at) => [token, df[at] ?? 0]));
  return units.map(({ sequences, asked: tokens }) => {
    // A unit of several sequences is no more frequent than the rarest of them.
    const frequency = Math.min(...tokens.map((token) => frequencies.get(token) ?? 0));
    return { sequences, weight: rarity(chunks, frequency) };
  });
}

/** How rare a token is that stands in so many of all chunks, in nats. */
export function rarity(chunks: number, frequency: number): number {
  return Math.log(1 + Math.max(0, chunks - frequency + 0.5) / (frequency + 0.5));
}

/** The units of a query; two words of one stem are one. */
function unitsOf({ terms, phrases }: AnalysedQuery): readonly Unit[] {
  const units = new Map<string, Unit>();
  const put = (unit: Unit): void => {
    const key = JSON.stringify(unit.sequences);
    if (unit.asked.length > 0 && !units.has(key)) units.set(key, unit);
  };
  for (const term of terms) {
    if (term.kind === 'word') put({ sequences: [tokensOf(term.token)], asked: [term.token] });
    if (term.kind === 'cjk') put({ sequences: [[term.token]], asked: [term.token] });
  }
  for (const { parts } of phrases)
    put({
      sequences: parts.map(({ column, tokens }) => (column === 'cjk' ? tokens : tokens.flatMap(tokensOf))),
      asked: parts.map(({ tokens }) => tokens.join(' ')),
    });
  return [...units.values()];
}

/** The share of a query's weight that a chunk holds, 0 to 1; 0 for a query without words. */
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

/** What a stored chunk is found by, as far as the store still knows: aliases and prefixes are not among it. */
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

/** The index tokens of a chunk, to look words up in: folded and stemmed as the full-text index does it. */
class SearchedWords {
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
    kind === 'cjk' ? [word] : tokensOfWord(word),
  );
}

/** Words come again and again: looking one up takes a fifth of folding and stemming it. */
const knownWords = new LRU<readonly string[]>(4096);
/** Of longer ones V8 keeps the text alive that they were cut from. */
const MAX_KNOWN = 12;

function tokensOfWord(word: string): readonly string[] {
  const known = word.length > MAX_KNOWN ? undefined : knownWords.get(word);
  if (known !== undefined) return known;
  const tokens = word.split(/[._]/).flatMap((piece) => (piece === '' ? [] : [stemOf(foldWord(piece))]));
  if (word.length <= MAX_KNOWN) knownWords.set(word, tokens);
  return tokens;
}

/** The stem of a folded word, as the full-text index makes it: words with anything but Latin letters are their own. */
export function stemOf(word: string): string {
  return word.length > MAX_STEMMED || !/^[a-z]+$/.test(word) ? word : stemmer(word);
}

/** SQLite's `porter` leaves longer words as they are. */
const MAX_STEMMED = 64;
