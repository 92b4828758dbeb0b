import type { CollectionRow } from './database/collections.ts';
import type { SegmentHead, SegmentReader } from './database/segment-reader.ts';
import { ScanKernel } from './kernel/scan-kernel.ts';
import { SEGMENT_ROWS, strideOf } from './segment-layout.ts';

/** Scores segments by their codes, wherever these are stored. */
export interface CodeScores {
  /** Sets the query; returns the scale of its codes. */
  setQuery(vector: Float32Array): number;
  /** Dot products of codes for the first `rows` rows of a segment; valid until the next call. */
  scores(segment: number, rows: number): Int32Array;
}

/** Codes that are read while they are scanned, through a buffer of one segment: the cheapest way for a single search. */
export class StreamedCodes implements CodeScores {
  readonly #reader: SegmentReader;
  readonly #row: CollectionRow;
  readonly #kernel: ScanKernel;

  constructor(reader: SegmentReader, row: CollectionRow) {
    this.#reader = reader;
    this.#row = row;
    this.#kernel = new ScanKernel(strideOf(row.dimensions));
  }

  setQuery(vector: Float32Array): number {
    return this.#kernel.setQuery(vector);
  }

  scores(segment: number, rows: number): Int32Array {
    this.#kernel.load(0, this.#reader.codes(this.#row, segment));
    return this.#kernel.scores(0, rows);
  }
}

/** The segments of one collection in memory; updated by reading those that have changed. */
export class ResidentCodes implements CodeScores {
  readonly collection: number;
  readonly #kernel: ScanKernel;
  readonly #heads: SegmentHead[] = [];
  #version = -1;

  constructor({ collection, dimensions }: CollectionRow) {
    this.collection = collection;
    this.#kernel = new ScanKernel(strideOf(dimensions));
  }

  /** The segments as of the last {@link refresh}, by number. */
  get heads(): readonly SegmentHead[] {
    return this.#heads;
  }

  /** Reads segments that have changed since the last call, inside the read transaction of the row. */
  refresh(reader: SegmentReader, row: CollectionRow): void {
    if (row.version === this.#version) return;
    const changed = reader.heads(row, { since: this.#version, ids: true });
    this.#kernel.reserve((changed.at(-1)?.segment ?? -1) + 1);
    for (const head of changed) {
      if (head.codesVersion > this.#version) this.#kernel.load(head.segment, reader.codes(row, head.segment));
      this.#heads[head.segment] = head;
    }
    reader.checkComplete(row, this.#heads);
    this.#version = row.version;
  }

  setQuery(vector: Float32Array): number {
    return this.#kernel.setQuery(vector);
  }

  scores(segment: number, rows: number): Int32Array {
    return this.#kernel.scores(segment, rows);
  }
}

/** The memory of a collection in bytes: its codes, and the data for filters. */
export function residentBytes({ dimensions }: CollectionRow, segments: number): number {
  return segments * SEGMENT_ROWS * (strideOf(dimensions) + 40);
}
