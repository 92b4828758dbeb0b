import { KERNEL_BINARY } from './kernel-binary.generated.ts';

/** The matching rows, ascending, and their frequencies: the number of occurrences, weighted by column. */
export interface FoundRows {
  readonly rows: Int32Array;
  readonly frequencies: Float64Array;
}

interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** The part of WebAssembly that is used here, because TypeScript declares it only for browsers. */
const wasm = (
  globalThis as unknown as {
    readonly WebAssembly: {
      readonly Module: new (binary: Uint8Array) => object;
      readonly Instance: new (module: object) => { readonly exports: unknown };
    };
  }
).WebAssembly;

/** The functions of `posting-kernel.wat`, which documents their parameters and results. */
interface PostingFunctions {
  readonly memory: WasmMemory;
  walk(at: number, to: number, restarts: number, wanted: number, into: number, intoEnd: number): number;
  weigh(found: number, foundEnd: number, weights: number, rows: number, frequencies: number): number;
  places(found: number, foundEnd: number, behind: number, into: number): number;
  common(places: number, placesEnd: number, others: number, othersEnd: number): number;
  tally(places: number, placesEnd: number, weights: number, rows: number, frequencies: number): number;
}

const PAGE_BYTES = 65_536;
/** Zero bytes after the content, so that no number continues beyond it. */
const MARGIN = 16;
/** A memory that has grown larger is not reused, because it cannot shrink. */
const MAX_KEPT_BYTES = 32_000_000;

/** An instance of the kernel, whose memory is allocated from the start again for each use. */
export class PostingKernel {
  readonly run: PostingFunctions;
  #used = MARGIN; // address 0 means none

  private constructor(run: PostingFunctions) {
    this.run = run;
  }

  static #idle: PostingKernel | undefined;

  /** Runs `body` with a kernel whose memory is unallocated; addresses are invalid afterwards. */
  static use<T>(body: (kernel: PostingKernel) => T): T {
    const kernel = PostingKernel.#idle ?? PostingKernel.#make();
    PostingKernel.#idle = undefined;
    const result = body(kernel);
    kernel.#used = MARGIN;
    if (kernel.run.memory.buffer.byteLength <= MAX_KEPT_BYTES) PostingKernel.#idle = kernel;
    return result;
  }

  static #make(): PostingKernel {
    const { exports } = new wasm.Instance(new wasm.Module(Buffer.from(KERNEL_BINARY, 'base64')));
    return new PostingKernel(exports as PostingFunctions);
  }

  /** Allocates memory, with undefined contents, and returns its address. */
  reserve(bytes: number): number {
    const at = this.#used;
    this.#used = (at + bytes + MARGIN + 7) & ~7;
    const missing = this.#used - this.run.memory.buffer.byteLength;
    if (missing > 0) this.run.memory.grow(Math.ceil(missing / PAGE_BYTES));
    return at;
  }

  /** Copies bytes into the memory, followed by zeros, and returns their address. */
  put(parts: readonly Uint8Array[]): number {
    const at = this.reserve(parts.reduce((sum, { length }) => sum + length, 0));
    const memory = new Uint8Array(this.run.memory.buffer);
    let to = at;
    for (const part of parts) {
      memory.set(part, to);
      to += part.length;
    }
    memory.fill(0, to, to + MARGIN);
    return at;
  }

  /** Copies numbers into the memory, and returns their address. */
  putNumbers(numbers: Int32Array | Float64Array): number {
    return this.put([new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength)]);
  }

  /** A view of the memory, valid until it grows. */
  int32(at: number, length: number): Int32Array {
    return new Int32Array(this.run.memory.buffer, at, length);
  }

  /** A copy of rows and their frequencies. */
  rows(rows: number, frequencies: number, count: number): FoundRows {
    return {
      rows: this.int32(rows, count).slice(),
      frequencies: new Float64Array(this.run.memory.buffer, frequencies, count).slice(),
    };
  }
}
