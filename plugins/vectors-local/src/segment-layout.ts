/** The number of vectors in a segment, the unit of reading, scanning and writing. */
export const SEGMENT_ROWS = 256;

/** Bytes of the ids of one vector in a segment: the chunk's, then the document's. */
export const ROW_ID_BYTES = 32;

/** The offset of the chunk id, in 32-bit words, in the ids of one vector. */
export const CHUNK_WORD = 0;

/** The offset of the document id, in 32-bit words, in the ids of one vector. */
export const DOCUMENT_WORD = 4;

/** Bytes of the codes of one vector: its dimensions, padded with zeros to the kernel's step size. */
export function strideOf(dimensions: number): number {
  return Math.ceil(dimensions / 32) * 32;
}

const SEGMENTS_A_COLLECTION = 2 ** 24;

/** The row of `vector_segments` and `vector_codes` for the n-th segment of a collection; the rows of a collection are consecutive. */
export function segmentKey(collection: number, segment: number): number {
  return collection * SEGMENTS_A_COLLECTION + segment;
}

/** The row of `vector_rows` for a slot of a collection: slot = segment × 256 + row. */
export function slotKey(collection: number, slot: number): number {
  return segmentKey(collection, 0) * SEGMENT_ROWS + slot;
}

/** Consecutive rows of a table, `end` excluded. */
export interface KeyRange {
  readonly first: number;
  readonly end: number;
}

/** The rows of a collection in `vector_segments` and `vector_codes`, from a segment on. */
export function segmentRange(collection: number, from = 0): KeyRange {
  return { first: segmentKey(collection, from), end: segmentKey(collection + 1, 0) };
}

/** The rows of a collection in `vector_rows`, from a slot on. */
export function slotRange(collection: number, from = 0): KeyRange {
  return { first: slotKey(collection, from), end: slotKey(collection + 1, 0) };
}
