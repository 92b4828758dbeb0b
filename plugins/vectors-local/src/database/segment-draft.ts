import { ROW_ID_BYTES, SEGMENT_ROWS } from '../segment-layout.ts';
import { quantize } from '../quantize.ts';
import { idBytes } from './blobs.ts';

/** The parts of a segment. The draft owns the arrays. */
export interface SegmentParts {
  readonly live: Uint8Array;
  readonly scales: Float32Array;
  readonly ids: Uint8Array;
}

/** A segment while a transaction changes it. Codes are read when the first vector is written; deleting does not need them. */
export class SegmentDraft {
  readonly parts: SegmentParts;
  readonly #fetchCodes: () => Int8Array;
  readonly #stride: number;
  #codes: Int8Array | undefined;
  #vectors: number;
  #freeFrom = 0;

  constructor(parts: SegmentParts, stride: number, fetchCodes: () => Int8Array) {
    this.parts = parts;
    this.#stride = stride;
    this.#fetchCodes = fetchCodes;
    this.#vectors = parts.live.reduce((sum, live) => sum + live, 0);
  }

  /** A segment without vectors. */
  static empty(stride: number): SegmentDraft {
    return new SegmentDraft(
      {
        live: new Uint8Array(SEGMENT_ROWS),
        scales: new Float32Array(SEGMENT_ROWS),
        ids: new Uint8Array(SEGMENT_ROWS * ROW_ID_BYTES),
      },
      stride,
      () => new Int8Array(SEGMENT_ROWS * stride),
    );
  }

  /** The number of used rows. */
  get vectors(): number {
    return this.#vectors;
  }

  /** The codes, if they were changed. */
  get changedCodes(): Int8Array | undefined {
    return this.#codes;
  }

  /** A free row; undefined if there is none. */
  freeRow(): number | undefined {
    const row = this.parts.live.indexOf(0, this.#freeFrom);
    this.#freeFrom = row < 0 ? SEGMENT_ROWS : row;
    return row < 0 ? undefined : row;
  }

  /** Writes a unit vector and its ids. */
  put(
    row: number,
    vector: Float32Array,
    { chunkId, docId }: { readonly chunkId: string; readonly docId: string },
  ): void {
    this.#codes ??= this.#fetchCodes();
    const { live, scales, ids } = this.parts;
    scales[row] = quantize(vector, this.#codes.subarray(row * this.#stride, (row + 1) * this.#stride));
    ids.set(idBytes(chunkId), row * ROW_ID_BYTES);
    ids.set(idBytes(docId), row * ROW_ID_BYTES + ROW_ID_BYTES / 2);
    if (live[row] === 0) this.#vectors++;
    live[row] = 1;
  }

  /** Frees a row. */
  remove(row: number): void {
    if (this.parts.live[row] === 0) return;
    this.parts.live[row] = 0;
    this.#vectors--;
    this.#freeFrom = Math.min(this.#freeFrom, row);
  }
}
