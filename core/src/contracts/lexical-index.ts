import type { AnalysedQuery } from '../analysis/analyse-query.ts';
import type { IndexMaterial, IndexText } from '../analysis/index-text.ts';
import type { ChunkId } from '../domain/ids.ts';
import type { SearchFilters } from '../domain/query.ts';
import type { AbortOptions, Contribution } from './contribution.ts';

/** A chunk and its BM25 score, positive, higher is better. */
export interface LexicalHit {
  readonly chunkId: ChunkId;
  readonly score: number;
}

/** How often tokens occur: `chunks` is the size of the corpus, `df[i]` the number of chunks that hold `tokens[i]`. */
export interface TermStats {
  readonly chunks: number;
  readonly df: readonly number[];
}

/** A token of the index, which may be a stem or a pair of characters, and how many chunks hold it. */
export interface IndexToken {
  readonly token: string;
  readonly chunks: number;
}

/**
 * Full-text index over chunks. Index and query analysis are one function, named by {@link indexVersion}. Filters are
 * applied before top-k; the list for a longer limit starts with the list for a shorter; ties stand in order of document
 * path, ordinal, source; no query text makes it throw. Analysis needs no storage and answers at once; what reads the index
 * returns a promise.
 */
export interface LexicalIndex extends Contribution {
  /** Names the analysis and the layout of the index: `v1.0`. */
  indexVersion(): string;
  /** Analyses a chunk for writing; pure. */
  analyseChunk(material: IndexMaterial): IndexText;
  /** Analyses a query; pure. */
  analyseQuery(text: string): AnalysedQuery;
  /**
   * The best `limit` chunks, best first; fewer only when fewer match. Quoted phrases must stand in a chunk word for
   * word, what operators demand must be met, exclusions must not stand; a query of exclusions only finds nothing. Throws `cancelled` when the signal has fired.
   */
  search(
    query: AnalysedQuery,
    filters: SearchFilters,
    limit: number,
    options?: AbortOptions,
  ): Promise<readonly LexicalHit[]>;
  /**
   * The chunks that filters let through, in which the quoted phrases of a query stand and its exclusions do not, and which meet
   * what its operators demand, whatever its words; null when it has nothing of all that. Other retrievers keep to it.
   */
  admitted(query: AnalysedQuery, filters: SearchFilters, options?: AbortOptions): Promise<ReadonlySet<ChunkId> | null>;
  /**
   * Document frequencies, by chunk, of tokens of an analysed query; several tokens separated by spaces stand in a row, and a
   * token with `*` behind it stands for all that begin so.
   */
  termStats(tokens: readonly string[]): Promise<TermStats>;
  /**
   * Every token of the index once, for guesses at mistyped words; an index that cannot list them leaves it out. There may be millions: they
   * may be read while they are gone through, which happens once.
   */
  vocabulary?(options?: AbortOptions): Promise<Iterable<IndexToken>>;
}
