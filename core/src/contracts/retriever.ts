import type { AnalysedQuery } from '../analysis/analyse-query.ts';
import type { ChunkId, DocumentId } from '../domain/ids.ts';
import type { Media } from '../domain/kinds.ts';
import type { SearchFilters } from '../domain/query.ts';
import type { AbortOptions, Contribution } from './contribution.ts';

/** A chunk in a ranking: 1-based rank, and a score that is comparable only within this retriever. */
export interface RankedChunk {
  readonly chunkId: ChunkId;
  readonly score: number;
  readonly rank: number;
}

/** A query ready for retrieval. */
export interface RetrievalRequest {
  readonly query: AnalysedQuery;
  readonly filters: SearchFilters;
  readonly limit: number;
}

/**
 * Ranks chunks for a query. Each retriever of a plugin contributes another ranking to hybrid searches, fused with the lexical and vector
 * rankings by rank; one whose scores are cosines replaces the vector ranking. Filters are applied before top-k; only committed chunks
 * appear; a longer list starts with the shorter one; ties are ordered by document path, ordinal, source; no query text makes it throw.
 */
export interface Retriever extends Contribution {
  /** The kind of the scores; of `bm25` and `rrf`, kebab uses only the order. */
  readonly scoreKind: 'bm25' | 'cosine' | 'rrf';
  /** Raised whenever the same query over the same corpus can rank differently. */
  indexVersion(): string;
  retrieve(request: RetrievalRequest, options?: AbortOptions): Promise<readonly RankedChunk[]>;
}

/** The parts of a chunk that ranking reads: its words, their context, and their location. */
export interface Passage {
  readonly chunkId: ChunkId;
  readonly docId: DocumentId;
  readonly sourceId: string;
  readonly workspacePath: string;
  readonly media: Media;
  /** 0-based, within its document. */
  readonly ordinal: number;
  readonly text: string;
  readonly headingPath: readonly string[];
  readonly sectionLabel: string | null;
  /** The unit of source code that contains the chunk; null for everything else. */
  readonly symbol: string | null;
}
