import type { AnalysedQuery } from '../analysis/analyse-query.ts';
import type { ChunkId, DocumentId } from '../domain/ids.ts';
import type { Media } from '../domain/media.ts';
import type { SearchFilters } from '../domain/query.ts';
import type { AbortOptions, Contribution } from './contribution.ts';

/** A chunk in a ranking: 1-based rank, and a score that only this retriever can compare. */
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
 * Ranks chunks for a query. Each retriever of a plugin is one more side of hybrid searches, fused with words and vectors by
 * rank; one whose scores are cosines takes the place of the vectors. Filters are applied before top-k; only committed chunks appear; a longer list starts with
 * the shorter one; ties stand in order of document path, ordinal, source; no query text makes it throw.
 */
export interface Retriever extends Contribution {
  /** What the scores are; of `bm25` and `rrf` only the order matters to kebab. */
  readonly scoreKind: 'bm25' | 'cosine' | 'rrf';
  /** Grows whenever the same query over the same corpus can rank differently. */
  indexVersion(): string;
  retrieve(request: RetrievalRequest, options?: AbortOptions): Promise<readonly RankedChunk[]>;
}

/** What ranking looks at in a chunk: its words, what they stand under, and where they lie. */
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
  /** The unit of source code that the chunk belongs to; null for everything else. */
  readonly symbol: string | null;
}
