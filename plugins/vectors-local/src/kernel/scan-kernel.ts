import { quantizeQuery } from '../quantize.ts';
import { SEGMENT_ROWS } from '../segment-layout.ts';
import { KERNEL_BINARY } from './kernel-binary.generated.ts';

/** A memory that WebAssembly and JavaScript share; views of `buffer` become invalid when it grows. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  /** Adds pages of 64 KiB; the contents are kept. */
  grow(pages: number): number;
}

interface WasmApi {
  readonly Memory: new (size: { readonly initial: number }) => WasmMemory;
  readonly Module: new (binary: Uint8Array) => object;
  readonly Instance: new (
    module: object,
    imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  ) => { readonly exports: Readonly<Record<string, unknown>> };
  validate(binary: Uint8Array): boolean;
}

/** The used part of WebAssembly, which TypeScript declares only for browsers. */
export const wasm: WasmApi = (globalThis as unknown as { readonly WebAssembly: WasmApi }).WebAssembly;

/** The size of a page of such a memory. */
const PAGE_BYTES = 65_536;

/**
 * Scores codes against a query, one segment at a time. Its memory contains the query, the scores of one segment, then the reserved number
 * of segments.
 */
export class ScanKernel {
  readonly #memory: WasmMemory;
  readonly #scan: ScanFunction;
  readonly #stride: number;
  readonly #scoresAt: number;
  readonly #codesAt: number;
  #scores: Int32Array;
  #codes: Uint8Array;

  /** `stride`: bytes per row of codes, a multiple of 32. */
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

  /** Makes room for this many segments, and a little more; loaded segments are kept. */
  reserve(segments: number): void {
    const missing =
      pagesFor(this.#codesAt + segments * this.#segmentBytes) - this.#memory.buffer.byteLength / PAGE_BYTES;
    if (missing <= 0) return;
    this.#memory.grow(missing + Math.ceil(missing / 8));
    this.#scores = new Int32Array(this.#memory.buffer, this.#scoresAt, SEGMENT_ROWS);
    this.#codes = new Uint8Array(this.#memory.buffer, this.#codesAt);
  }

  /** Copies the codes of a segment to a numbered place. */
  load(place: number, codes: Uint8Array): void {
    this.#codes.set(codes, place * this.#segmentBytes);
  }

  /** Sets the query for the following scans. Returns the scale of its codes. */
  setQuery(vector: Float32Array): number {
    return quantizeQuery(vector, new Int16Array(this.#memory.buffer, 0, this.#stride));
  }

  /** The dot products of the query's codes with the first `rows` rows of a place; valid until the next call. */
  scores(place: number, rows: number): Int32Array {
    this.#scan(0, this.#codesAt + place * this.#segmentBytes, rows, this.#stride, this.#scoresAt);
    return this.#scores;
  }
}

function scanFor(memory: WasmMemory): ScanFunction {
  return wasmScan(memory) ?? plainScan(memory);
}

/** The number of pages for this many bytes. */
function pagesFor(bytes: number): number {
  return Math.ceil(bytes / PAGE_BYTES);
}

/**
 * Writes the dot product of a query with each of some rows of codes. The query has `stride` int16 values, a row `stride` int8 values, a
 * score is an int32; `stride` is a multiple of 32, `query` and `scores` of 4. All but `rows` and `stride` are byte offsets into one memory.
 */
export type ScanFunction = (query: number, codes: number, rows: number, stride: number, scores: number) => void;

/** The scan as WebAssembly over a memory; undefined if the machine has no SIMD instructions. */
export function wasmScan(memory: WasmMemory): ScanFunction | undefined {
  const binary = Buffer.from(KERNEL_BINARY, 'base64');
  if (!wasm.validate(binary)) return undefined;
  return new wasm.Instance(new wasm.Module(binary), { kernel: { memory } }).exports['scan'] as ScanFunction;
}

/** The same scan in JavaScript, about twenty times slower. */
export function plainScan(memory: WasmMemory): ScanFunction {
  return (query, codes, rows, stride, scores) => {
    const left = new Int16Array(memory.buffer, query, stride);
    const right = new Int8Array(memory.buffer, codes, rows * stride);
    const sums = new Int32Array(memory.buffer, scores, rows);
    for (let row = 0, at = 0; row < rows; row++) {
      let sum = 0;
      for (let dimension = 0; dimension < stride; dimension++, at++)
        sum += (left[dimension] as number) * (right[at] as number);
      sums[row] = sum;
    }
  };
}
