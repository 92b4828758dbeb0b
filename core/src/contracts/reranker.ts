import type { ChunkId } from '../domain/ids.ts';
import type { AbortOptions, Contribution } from './contribution.ts';

/** Reorders candidates: a permutation of its input with scores in [0, 1], independent of the input order. */
export interface Reranker extends Contribution {
  rerank(
    query: string,
    items: readonly { readonly chunkId: ChunkId; readonly text: string }[],
    options?: AbortOptions,
  ): Promise<readonly { readonly chunkId: ChunkId; readonly score: number }[]>;
}
