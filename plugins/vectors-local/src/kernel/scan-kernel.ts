import { quantizeQuery } from '../quantize.ts';
import { SEGMENT_ROWS } from '../segment-layout.ts';
import { plainScan, wasmScan, type ScanFunction } from './scan-function.ts';
import { wasm, type WasmMemory } from './web-assembly.ts';

const PAGE_BYTES = 65_536;

/**
 * Scores codes against a query, a segment at a time, in a memory of its own that holds as many segments as are reserved:
 * the query, the scores of one segment, then the segments.
 */
export class ScanKernel {
  readonly #memory: WasmMemory;
  readonly #scan: ScanFunction;
  readonly #stride: number;
  readonly #scoresAt: number;
  readonly #codesAt: number;
  #scores: Int32Array;
  #codes: Uint8Array;

  /** `stride`: bytes of a row of codes, a multiple of 32. */
  constructor(stride: number, scanOf: (memory: WasmMemory) => ScanFunction = scanFor) {
    this.#stride = stride;
    this.#scoresAt = stride * 2;
    this.#codesAt = this.#scoresAt + SEGMENT_ROWS * 4;
    this.#memory = new wasm.Memory({ initial: pagesFor(this.#codesAt + this.#segmentBytes) });
    this.#scan = scanOf(this.#memory);
    this.#scores = new Int32Array(this.#memory.buffer, this.#scoresAt, SEGMENT_ROWS);
    this.#codes = new Uint8Array(this.#memory.buffer, this.#codesAt);
  }

  get #segmentBytes(): number {
    return this.#stride * SEGMENT_ROWS;
  }

  /** Makes room for this many segments, and a little more; what is loaded stays. */
  reserve(segments: number): void {
    const missing =
      pagesFor(this.#codesAt + segments * this.#segmentBytes) - this.#memory.buffer.byteLength / PAGE_BYTES;
    if (missing <= 0) return;
    this.#memory.grow(missing + Math.ceil(missing / 8));
    this.#scores = new Int32Array(this.#memory.buffer, this.#scoresAt, SEGMENT_ROWS);
    this.#codes = new Uint8Array(this.#memory.buffer, this.#codesAt);
  }

  /** Copies the codes of a segment to the place with this number. */
  load(place: number, codes: Uint8Array): void {
    this.#codes.set(codes, place * this.#segmentBytes);
  }

  /** Sets the query of the scans that follow. Returns the scale of its codes. */
  setQuery(vector: Float32Array): number {
    return quantizeQuery(vector, new Int16Array(this.#memory.buffer, 0, this.#stride));
  }

  /** The dot products of the query's codes with the first `rows` rows of a place; they stand until the next call. */
  scores(place: number, rows: number): Int32Array {
    this.#scan(0, this.#codesAt + place * this.#segmentBytes, rows, this.#stride, this.#scoresAt);
    return this.#scores;
  }
}

function scanFor(memory: WasmMemory): ScanFunction {
  return wasmScan(memory) ?? plainScan(memory);
}

function pagesFor(bytes: number): number {
  return Math.ceil(bytes / PAGE_BYTES);
}
