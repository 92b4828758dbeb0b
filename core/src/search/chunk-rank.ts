import type { ChunkId } from '../domain/ids.ts';

/** What one side gave a chunk: its 1-based rank there and a score that only this side can compare. */
export interface SideRank {
  readonly rank: number;
  readonly score: number;
}

/** What the order of source code made of a chunk: its 1-based ranks before and behind it, and the factor on its score. */
export interface CodeRank {
  readonly before: number;
  readonly rank: number;
  readonly factor: number;
}

/** A chunk in the final order, with what each stage gave it; `score` is what it was ordered by. */
export interface ChunkRank {
  readonly chunkId: ChunkId;
  readonly score: number;
  readonly lexical: SideRank | null;
  readonly vector: SideRank | null;
  /** What retrievers of plugins gave it, by their ids; only in lists that such took part in. */
  readonly contributed?: ReadonlyMap<string, SideRank>;
  /** Null when there was one side only. */
  readonly fusionScore: number | null;
  /** Only on source code among the chunks that were ordered anew. */
  readonly code?: CodeRank;
  /** Only on chunks that a reranker has seen. */
  readonly rerank?: SideRank;
  /** Near-identical chunks that stand further down because of this one, in order; absent without any. */
  readonly duplicates?: readonly ChunkId[];
  /** The chunk that this one nearly equals and stands higher. */
  readonly duplicateOf?: ChunkId;
}
