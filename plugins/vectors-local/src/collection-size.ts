import type { CollectionRow } from './database/collections.ts';
import { strideOf } from './segment-layout.ts';

/** A threshold for the size of a collection; all of its values must be reached. */
export interface CollectionSize {
  readonly minVectors: number;
  readonly minDimensions: number;
  /** Bytes of codes: one per vector and dimension. */
  readonly minBytes: number;
}

/**
 * From this size on, collections are searched by signs. Codes of a smaller collection are scanned in less than 50 ms and fit into 256 MiB
 * of memory: at 384 dimensions those of 700,000 vectors. With fewer dimensions signs carry too little information: comparing the remaining
 * candidates costs more than a scan of codes.
 */
export const LARGE: CollectionSize = { minVectors: 100_000, minDimensions: 256, minBytes: 256 * 2 ** 20 };

/**
 * From this size on, a server is recommended: two million vectors of 384 dimensions. There the first search of a process takes 340 ms of
 * CPU, every other one 35, and one in 300 of the best is missed.
 */
export const OUTGROWN: CollectionSize = { minVectors: 100_000, minDimensions: 0, minBytes: 2_000_000 * 384 };

/** Whether a collection has reached a size. */
export function reaches(
  { vectors, dimensions }: CollectionRow,
  { minVectors, minDimensions, minBytes }: CollectionSize,
): boolean {
  return vectors >= minVectors && dimensions >= minDimensions && vectors * strideOf(dimensions) >= minBytes;
}
