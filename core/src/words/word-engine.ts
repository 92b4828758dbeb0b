import type { AbortOptions } from '../contracts/contribution.ts';
import type { IndexToken, NamedChunk } from '../contracts/lexical-index.ts';
import type { ChunkId } from '../domain/ids.ts';
import type { SearchFilters } from '../domain/query.ts';
import type { CorpusSize } from './unit-weights.ts';

/** The state of an index on a server. */
export interface WordState {
  /** Differs when the index has changed, so that what was counted before no longer holds. */
  readonly version: string;
  readonly size: CorpusSize;
  /** The average length of a chunk, in tokens. */
  readonly averageLength: number;
  /** Whether it holds exactly the committed chunks; otherwise hits are looked up, and those that are gone are left out. */
  readonly isCurrent: boolean;
}

/** A term and what a chunk's term-frequency part of it is multiplied by. */
export interface WeighedTerm {
  readonly term: string;
  /** In all chunks but those of source code. */
  readonly weight: number;
  readonly inCode: number;
}

/** The terms that a chunk must contain: of each list, one. */
export type RequiredTerms = readonly (readonly string[])[];

/** Which chunks of an index are meant. */
export interface PostedScope {
  readonly all: RequiredTerms;
  readonly filters: SearchFilters;
}

/** A ranking by terms. */
export interface PostedRanking extends PostedScope {
  /** Each term once, rarest first. */
  readonly terms: readonly (WeighedTerm & { readonly frequency: number })[];
  readonly averageLength: number;
  readonly limit: number;
}

/** A chunk, its score, and what orders ties. */
export interface PostedHit {
  readonly chunkId: ChunkId;
  readonly score: number;
  readonly path: string;
  readonly ordinal: number;
  readonly sourceId: string;
}

/** A list of hits goes on while its end ties, up to this length. */
export const MAX_TIED = 4096;

/** A score as it is compared. Engines add in single precision and in any order: equal passages get equal scores. */
export function comparedScore(score: number): number {
  return Number(score.toPrecision(5));
}

/** Which chunks with names are meant. */
export interface NamesRequest {
  readonly filters: SearchFilters;
  readonly limit: number;
  /** Whether the tokens may stand anywhere in a chunk. */
  readonly inText: boolean;
}

/** Which tokens are meant. */
export interface TokensRequest {
  readonly beginning: string;
  readonly limit: number;
}

/** An engine that stores the terms of chunks (`postedTerms`), for an index that is not SQLite's. */
export interface WordEngine {
  state(options: AbortOptions): Promise<WordState>;
  /** The number of chunks that contain each term. */
  frequencies(terms: readonly string[], options: AbortOptions): Promise<readonly number[]>;
  /** The number of chunks in a scope. */
  count(scope: PostedScope, options: AbortOptions): Promise<number>;
  /** The best chunks that contain any of the terms, and all that tie with the last of them, up to {@link MAX_TIED}; ties in any order. */
  rank(ranking: PostedRanking, options: AbortOptions): Promise<readonly PostedHit[]>;
  /** All chunks in a scope. */
  matching(scope: PostedScope, options: AbortOptions): Promise<readonly ChunkId[]>;
  /** The chunks with all these tokens, the rarest first, among their names, the shortest names first; with `inText`, those that have them anywhere. */
  named(tokens: readonly string[], request: NamesRequest, options: AbortOptions): Promise<readonly NamedChunk[]>;
  /** Aliases, tags and values of metadata by which the first chunks of documents are found, of those among these chunks. */
  extras(ids: readonly ChunkId[], options: AbortOptions): Promise<ReadonlyMap<ChunkId, readonly string[]>>;
  /** Tokens that begin with this and are longer, or all. */
  tokens(request: TokensRequest, options: AbortOptions): Promise<readonly IndexToken[]>;
}
