import type { CollectionRow } from './database/collections.ts';
import { strideOf } from './segment-layout.ts';

/** A size of collections; both must be reached. */
export interface CollectionSize {
  readonly minVectors: number;
  /** Bytes of codes: one a vector and dimension. */
  readonly minBytes: number;
}

/**
 * Searched by signs. Codes of a smaller collection are scanned in some 20 ms and fit into 128 MiB of memory: at 384 dimensions those
 * of 350,000 vectors, at 128 of a million.
 */
export const LARGE: CollectionSize = { minVectors: 100_000, minBytes: 128 * 2 ** 20 };

/**
 * Better kept by a server: the size of two million vectors of 384 dimensions. There the first search of a process takes 340 ms of CPU,
 * every other one 35, and one in 300 of the best is missed.
 */
export const OUTGROWN: CollectionSize = { minVectors: 100_000, minBytes: 2_000_000 * 384 };

/** Whether a collection has reached a size. */
export function reaches({ vectors, dimensions }: CollectionRow, { minVectors, minBytes }: CollectionSize): boolean {
  return vectors >= minVectors && vectors * strideOf(dimensions) >= minBytes;
}
