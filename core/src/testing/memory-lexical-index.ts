/* eslint-disable typescript/require-await -- what is in memory is at hand */
import { analyseChunk } from '../analysis/analyse-chunk.ts';
import { analyseQuery } from '../analysis/analyse-query.ts';
import type { AnalysedQuery, QueryPhrase, QueryTerm } from '../analysis/analysed-query.ts';
import { isLoneCjk } from '../analysis/cjk-run.ts';
import { foldWord } from '../analysis/fold-word.ts';
import type { IndexMaterial, IndexText } from '../analysis/index-text.ts';
import { INDEX_VERSION } from '../analysis/index-version.ts';
import { scanWords } from '../analysis/scan-words.ts';
import { SearchedText } from '../analysis/searched-text.ts';
import type { AbortOptions } from '../contracts/contribution.ts';
import type { LexicalHit, LexicalIndex, TermStats } from '../contracts/lexical-index.ts';
import type { ChunkId } from '../domain/ids.ts';
import type { SearchFilters } from '../domain/query.ts';
import { throwIfCancelled } from '../errors/abort.ts';
import { byPlace, type Place } from '../search/chunk-rank.ts';
import { matchesFilters } from './matches-filters.ts';
import type { MemoryStore } from './memory-store.ts';

const WEIGHTS: Readonly<Record<keyof IndexText, number>> = { text: 1, heading: 3, symbol: 3, cjk: 1 };
const COLUMNS = ['text', 'heading', 'symbol', 'cjk'] as const;
const K1 = 1.2;
const B = 0.75;

type Columns = Readonly<Record<keyof IndexText, readonly string[]>>;

/** A chunk as its tokens by column. */
interface IndexedChunk {
  readonly hit: Pick<LexicalHit, 'chunkId'>;
  readonly place: Place;
  readonly columns: Columns;
  readonly length: number;
  /** What phrases are looked for in. */
  readonly fields: readonly string[];
}

/** Tokens that must follow one another. */
type Sequence = readonly string[];

/** A full-text index over a {@link MemoryStore}, for tests: BM25 by its definition, computed anew for each query. */
export class MemoryLexicalIndex implements LexicalIndex {
  readonly id = 'memory';
  readonly version = '1';
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  fingerprint(): string {
    return `${this.id}@${this.version}+${this.indexVersion()}`;
  }

  indexVersion(): string {
    return INDEX_VERSION;
  }

  analyseChunk(material: IndexMaterial): IndexText {
    return analyseChunk(material);
  }

  analyseQuery(text: string): AnalysedQuery {
    return analyseQuery(text);
  }

  async search(
    query: AnalysedQuery,
    filters: SearchFilters,
    limit: number,
    { signal }: AbortOptions = {},
  ): Promise<readonly LexicalHit[]> {
    throwIfCancelled(signal, 'search');
    const corpus = this.#chunks({});
    const units = [...query.terms.map(sequenceOf), ...query.phrases.flatMap(sequencesOf)];
    const score = bm25(corpus, units);
    return this.#chunks(filters)
      .filter(({ fields }) => query.phrases.every(standsIn(fields)) && !query.excluded.some(standsIn(fields)))
      .map((chunk) => ({ ...chunk, score: score(chunk) }))
      .filter((chunk) => chunk.score > 0)
      .toSorted((a, b) => b.score - a.score || byPlace(a.place, b.place))
      .slice(0, limit)
      .map(({ hit, score: found }) => ({ ...hit, score: found }));
  }

  async admitted(
    query: AnalysedQuery,
    filters: SearchFilters,
    { signal }: AbortOptions = {},
  ): Promise<ReadonlySet<ChunkId> | null> {
    throwIfCancelled(signal, 'search');
    if (query.phrases.length === 0 && query.excluded.length === 0) return null;
    const standing = this.#chunks(filters).filter(
      ({ fields }) => query.phrases.every(standsIn(fields)) && !query.excluded.some(standsIn(fields)),
    );
    return new Set(standing.map(({ hit }) => hit.chunkId));
  }

  async termStats(tokens: readonly string[]): Promise<TermStats> {
    const corpus = this.#chunks({});
    return {
      chunks: corpus.length,
      df: tokens.map((token) => corpus.filter((chunk) => frequency(chunk, [token]) > 0).length),
    };
  }

  #chunks(filters: SearchFilters): readonly IndexedChunk[] {
    return this.#store.all().flatMap(({ row, write }) => {
      if (!matchesFilters(row, filters)) return [];
      return write.chunks.map(({ chunkId, ordinal, text, headingPath, sectionLabel }, at) => {
        const fields = [text, row.title, row.workspacePath, sectionLabel ?? '', ...headingPath];
        const place = { docPath: row.workspacePath, ordinal, sourceId: row.sourceId };
        const columns = columnsOf(write.index[at] ?? { text: '', heading: '', symbol: '', cjk: '' });
        const length = COLUMNS.reduce((sum, column) => sum + columns[column].length, 0);
        return { hit: { chunkId }, place, columns, length, fields };
      });
    });
  }
}

function columnsOf(index: IndexText): Columns {
  return {
    text: tokensOf(index.text),
    heading: tokensOf(index.heading),
    symbol: tokensOf(index.symbol),
    cjk: tokensOf(index.cjk),
  };
}

function tokensOf(text: string): readonly string[] {
  return scanWords(text.normalize('NFC')).flatMap(({ kind, text: word }) =>
    kind === 'cjk' ? [word] : wordTokens(word),
  );
}

function wordTokens(word: string): readonly string[] {
  return word
    .split(/[._]/)
    .map(foldWord)
    .filter((token) => token !== '');
}

function sequenceOf(term: QueryTerm): Sequence {
  if (term.kind === 'cjk_run') return term.tokens;
  return term.kind === 'cjk' ? [term.token] : wordTokens(term.token);
}

function standsIn(fields: readonly string[]): (phrase: QueryPhrase) => boolean {
  const texts = fields.map((field) => new SearchedText(field));
  return (phrase) => texts.some((text) => text.holds(phrase));
}

function sequencesOf({ parts }: QueryPhrase): readonly Sequence[] {
  return parts.map(({ column, tokens }) => (column === 'cjk' ? tokens : tokens.flatMap(wordTokens)));
}

/** How often a sequence occurs in a chunk, counted by the weights of the columns. */
function frequency({ columns }: IndexedChunk, sequence: Sequence): number {
  return COLUMNS.reduce((sum, column) => sum + WEIGHTS[column] * occurrences(columns[column], sequence), 0);
}

function occurrences(tokens: readonly string[], sequence: Sequence): number {
  return tokens.filter((_, at) => sequence.every((wanted, i) => isMatch(tokens[at + i], wanted))).length;
}

/** A single character of Han, Hangul or kana stands for every pair that begins with it. */
function isMatch(token: string | undefined, wanted: string): boolean {
  if (token === wanted) return true;
  return isLoneCjk(wanted) && token?.startsWith(wanted) === true;
}

function bm25(corpus: readonly IndexedChunk[], units: readonly Sequence[]): (chunk: IndexedChunk) => number {
  const average = corpus.reduce((sum, { length }) => sum + length, 0) / Math.max(1, corpus.length);
  const weighted = units.map((sequence) => {
    const holding = corpus.filter((chunk) => frequency(chunk, sequence) > 0).length;
    const idf = Math.log((corpus.length - holding + 0.5) / (holding + 0.5));
    return { sequence, idf: Math.max(idf, 1e-6) };
  });
  return (chunk) =>
    weighted.reduce((sum, { sequence, idf }) => {
      const found = frequency(chunk, sequence);
      const saturation = K1 * (1 - B + (B * chunk.length) / Math.max(1, average));
      return sum + (idf * found * (K1 + 1)) / (found + saturation);
    }, 0);
}
