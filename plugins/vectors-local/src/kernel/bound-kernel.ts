import { BLOCK_ROWS, SEGMENT_ROWS } from '../segment-layout.ts';
import type { SignQuery } from '../sign-code.ts';
import { memoryFor, pagesFor, wasmKernel, PAGE_BYTES, type KernelFunction, type WasmMemory } from './scan-kernel.ts';

/** Scale, offset and floor precede the tables, four times each. */
const TABLES_AT = 48;

/** The result of the kernel for a segment, valid until the next call. */
export interface SegmentBounds {
  /** By row. */
  readonly bounds: Float32Array;
  /** By block of 16 rows: a bit for each row whose bound reaches the floor. */
  readonly reached: Uint32Array;
}

/**
 * Computes bounds of products from signs, one segment at a time. Its memory contains the query, the bounds of one segment, then the
 * segments.
 */
export class BoundKernel {
  readonly #memory: WasmMemory;
  readonly #run: KernelFunction;
  readonly #planes: number;
  readonly #boundsAt: number;
  readonly #signsAt: number;
  #floor: Float32Array;
  /** The whole memory. */
  #numbers: Float32Array;
  #found: SegmentBounds;

  /** `stride`: dimensions, a multiple of 32. */
  constructor(stride: number, boundsOf: (memory: WasmMemory) => KernelFunction = boundsFor) {
    this.#planes = stride / 8;
    this.#boundsAt = TABLES_AT + this.#planes * 32;
    this.#signsAt = this.#boundsAt + SEGMENT_ROWS * 4 + (SEGMENT_ROWS / BLOCK_ROWS) * 4;
    this.#memory = memoryFor(this.#signsAt + this.#segmentBytes);
    this.#run = boundsOf(this.#memory);
    this.#floor = this.#floorView();
    this.#numbers = new Float32Array(this.#memory.buffer);
    this.#found = this.#views();
  }

  get #segmentBytes(): number {
    return SEGMENT_ROWS * (this.#planes + 8);
  }

  /** Makes room for this many segments, and a little more; loaded segments are kept. */
  reserve(segments: number): void {
    const missing =
      pagesFor(this.#signsAt + segments * this.#segmentBytes) - this.#memory.buffer.byteLength / PAGE_BYTES;
    if (missing <= 0) return;
    this.#memory.grow(missing + Math.ceil(missing / 8));
    this.#floor = this.#floorView();
    this.#numbers = new Float32Array(this.#memory.buffer);
    this.#found = this.#views();
  }

  /** Copies the signs of a segment to a numbered place. */
  load(place: number, signs: Uint8Array): void {
    new Uint8Array(this.#memory.buffer).set(signs, this.#signsAt + place * this.#segmentBytes);
  }

  /** Sets the query for the following calls. */
  setQuery({ tables, scale, offset }: Pick<SignQuery, 'tables' | 'scale' | 'offset'>): void {
    new Float32Array(this.#memory.buffer, 0, 4).fill(scale);
    new Float32Array(this.#memory.buffer, 16, 4).fill(offset);
    new Uint8Array(this.#memory.buffer, TABLES_AT).set(tables);
  }

  /** The bounds of the rows of a place, without the query's base. */
  bounds(place: number, floor: number): SegmentBounds {
    this.#floor.fill(floor);
    const signs = this.#signsAt + place * this.#segmentBytes;
    this.#run(0, signs, this.#planes, SEGMENT_ROWS / BLOCK_ROWS / 2, this.#boundsAt);
    return this.#found;
  }

  /** The factor of a row of a place. */
  factor(place: number, row: number): number {
    return this.#numbers[this.#numbersAt(place) + row] as number;
  }

  /** The shift of a row of a place. */
  shift(place: number, row: number): number {
    return this.#numbers[this.#numbersAt(place) + SEGMENT_ROWS + row] as number;
  }

  #numbersAt(place: number): number {
    return (this.#signsAt + place * this.#segmentBytes + this.#planes * SEGMENT_ROWS) / 4;
  }

  #floorView(): Float32Array {
    return new Float32Array(this.#memory.buffer, 32, 4);
  }

  #views(): SegmentBounds {
    const { buffer } = this.#memory;
    return {
      bounds: new Float32Array(buffer, this.#boundsAt, SEGMENT_ROWS),
      reached: new Uint32Array(buffer, this.#boundsAt + SEGMENT_ROWS * 4, SEGMENT_ROWS / BLOCK_ROWS),
    };
  }
}

function boundsFor(memory: WasmMemory): KernelFunction {
  return wasmKernel(memory)?.bounds ?? plainBounds(memory);
}

/** The same function in JavaScript, about twenty times slower. */
export function plainBounds(memory: WasmMemory): KernelFunction {
  const round = Math.fround;
  return (query, signsAt, planes, pairs, boundsAt) => {
    const blocks = pairs * 2;
    const [scale = 0, , , , offset = 0, , , , floor = 0] = new Float32Array(memory.buffer, query, 12);
    const tables = new Uint8Array(memory.buffer, query + TABLES_AT, planes * 32);
    const signs = new Uint8Array(memory.buffer, signsAt, planes * SEGMENT_ROWS);
    const factors = new Float32Array(memory.buffer, signsAt + planes * SEGMENT_ROWS, SEGMENT_ROWS * 2);
    const bounds = new Float32Array(memory.buffer, boundsAt, SEGMENT_ROWS);
    const reached = new Uint32Array(memory.buffer, boundsAt + SEGMENT_ROWS * 4, blocks).fill(0);
    for (let row = 0; row < blocks * BLOCK_ROWS; row++) {
      const block = Math.floor(row / BLOCK_ROWS);
      let sum = 0;
      for (let plane = 0; plane < planes; plane++) {
        const bits = signs[(block * planes + plane) * BLOCK_ROWS + (row % BLOCK_ROWS)] as number;
        sum += (tables[plane * 32 + (bits & 15)] as number) + (tables[plane * 32 + 16 + (bits >> 4)] as number);
      }
      const product = round((factors[row] as number) * round(round(sum * scale) + offset));
      bounds[row] = (factors[SEGMENT_ROWS + row] as number) + product;
      if ((bounds[row] as number) >= floor) reached[block] = (reached[block] as number) | (1 << (row % BLOCK_ROWS));
    }
  };
}
