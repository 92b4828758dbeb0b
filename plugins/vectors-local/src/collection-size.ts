import type { CollectionRow } from './database/collections.ts';
import { strideOf } from './segment-layout.ts';

/** A size of collections; all of it must be reached. */
export interface CollectionSize {
  readonly minVectors: number;
  readonly minDimensions: number;
  /** Bytes of codes: one a vector and dimension. */
  readonly minBytes: number;
}

/**
 * Searched by signs. Codes of a smaller collection are scanned in less than 50 ms and fit into 256 MiB of memory: at 384 dimensions
 * those of 700,000 vectors. Signs of fewer dimensions say too little: more candidates are left than a scan of codes costs.
 */
export const LARGE: CollectionSize = { minVectors: 100_000, minDimensions: 256, minBytes: 256 * 2 ** 20 };

/**
 * Better kept by a server: the size of two million vectors of 384 dimensions. There the first search of a process takes 340 ms of CPU,
 * every other one 35, and one in 300 of the best is missed.
 */
export const OUTGROWN: CollectionSize = { minVectors: 100_000, minDimensions: 0, minBytes: 2_000_000 * 384 };

/** Whether a collection has reached a size. */
export function reaches(
  { vectors, dimensions }: CollectionRow,
  { minVectors, minDimensions, minBytes }: CollectionSize,
): boolean {
  return vectors >= minVectors && dimensions >= minDimensions && vectors * strideOf(dimensions) >= minBytes;
}
