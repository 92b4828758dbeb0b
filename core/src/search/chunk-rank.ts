import type { ChunkId } from '../domain/ids.ts';

/** What one side gave a chunk: its 1-based rank there and a score that only this side can compare. */
export interface SideRank {
  readonly rank: number;
  readonly score: number;
}

/** A chunk in the final order, with what each side gave it; `score` is what it was ordered by. */
export interface ChunkRank {
  readonly chunkId: ChunkId;
  readonly score: number;
  readonly lexical: SideRank | null;
  readonly vector: SideRank | null;
  /** Null when there was one side only. */
  readonly fusionScore: number | null;
}
