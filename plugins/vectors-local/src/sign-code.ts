import { BLOCK_ROWS, SEGMENT_ROWS, strideOf } from './segment-layout.ts';

/** The highest entry of a table: eight of them fill a byte. */
const MAX_ENTRY = 31;

/**
 * Standard deviation of an estimate, in units of the vector's factor times the length of the query: what the signs of a vector in a
 * random position leave unsaid of it.
 */
const ERROR = Math.sqrt(1 - 2 / Math.PI);

/** A query as the kernel reads it. */
export interface SignQuery {
  /** For each four dimensions 16 entries, by the signs of these: sums of the query's numbers with these signs, in steps. */
  readonly tables: Uint8Array;
  /** The size of a step. */
  readonly scale: number;
  /** Added to a sum of entries, in the query's numbers; the room for its error is in it. */
  readonly offset: number;
  /** Added to what the kernel gives, for the bound of a cosine. */
  readonly base: number;
}

/**
 * Vectors as signs: of what is left of a vector without the centre of its collection, rotated, one bit a dimension. With a factor and a
 * shift they give an unbiased estimate of the vector's product with any query, whose error shrinks with the dimensions (the estimate
 * of RaBitQ, Gao and Long 2024). The rotation makes that true of all vectors, the centre makes what is left short.
 */
export class SignCode {
  readonly #dimensions: number;
  readonly #stride: number;
  readonly #centre: Float32Array;
  readonly #rotation: Rotation;
  readonly #rest: Float32Array;

  constructor(dimensions: number, centre: Float32Array) {
    this.#dimensions = dimensions;
    this.#stride = strideOf(dimensions);
    this.#centre = centre;
    this.#rotation = new Rotation(this.#stride);
    this.#rest = new Float32Array(this.#stride);
  }

  /** Writes the signs, the factor and the shift of a vector, times `scale`, as those of a row of a segment. */
  write(
    vector: ArrayLike<number>,
    scale: number,
    { signs, row }: { readonly signs: Uint8Array; readonly row: number },
  ): void {
    const rest = this.#rest;
    let shift = 0;
    let square = 0;
    let sum = 0;
    for (let at = 0; at < this.#dimensions; at++) {
      const value = (vector[at] as number) * scale;
      const left = value - (this.#centre[at] as number);
      rest[at] = left;
      shift += value * (this.#centre[at] as number);
      square += left * left;
    }
    rest.fill(0, this.#dimensions);
    this.#rotation.turn(rest);
    const planes = this.#stride / 8;
    const first = Math.floor(row / BLOCK_ROWS) * planes * BLOCK_ROWS + (row % BLOCK_ROWS);
    for (let plane = 0, at = 0; plane < planes; plane++) {
      let bits = 0;
      for (let bit = 1; bit < 256; bit *= 2, at++) {
        const value = rest[at] as number;
        if (value > 0) bits |= bit;
        sum += Math.abs(value);
      }
      signs[first + plane * BLOCK_ROWS] = bits;
    }
    const numbers = new DataView(signs.buffer, signs.byteOffset + planes * SEGMENT_ROWS, SEGMENT_ROWS * 8);
    numbers.setFloat32(row * 4, sum === 0 ? 0 : square / sum, true);
    numbers.setFloat32((SEGMENT_ROWS + row) * 4, shift, true);
  }

  /** The tables of a query, for bounds so many standard deviations above the estimates. */
  query(vector: Float32Array, deviations: number): SignQuery {
    const rest = new Float32Array(this.#stride);
    let base = 0;
    for (let at = 0; at < this.#dimensions; at++) {
      const left = (vector[at] as number) - (this.#centre[at] as number);
      rest[at] = left;
      base += left * (this.#centre[at] as number);
    }
    this.#rotation.turn(rest);
    const length = Math.sqrt(rest.reduce((sum, value) => sum + value * value, 0));
    const groups = Array.from({ length: this.#stride / 4 }, (_, group) => rest.subarray(group * 4, group * 4 + 4));
    const least = groups.map((group) => group.reduce((sum, value) => sum - Math.abs(value), 0));
    const scale = (Math.max(...least.map((sum) => -2 * sum)) || 1) / MAX_ENTRY;
    const tables = new Uint8Array(groups.length * 16);
    for (const [at, group] of groups.entries())
      for (let signs = 0; signs < 16; signs++) {
        const sum = group.reduce((total, value, bit) => total + ((signs >> bit) & 1 ? value : -value), 0);
        tables[at * 16 + signs] = Math.round((sum - (least[at] as number)) / scale);
      }
    const offset = least.reduce((sum, value) => sum + value, 0) + deviations * ERROR * length;
    return { tables, scale, offset, base };
  }
}

/**
 * A rotation that is always the same and costs little: random signs and a Hadamard transform over the first numbers, as many as the
 * greatest power of two that fits, then other signs and a transform over as many last ones. One alone leaves patterns.
 */
class Rotation {
  readonly #size: number;
  readonly #passes: readonly { readonly from: number; readonly signs: Float32Array }[];

  constructor(numbers: number) {
    this.#size = 2 ** Math.floor(Math.log2(numbers));
    const starts = [0, numbers - this.#size];
    let state = 1;
    const next = (): number => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0);
    const norm = 1 / Math.sqrt(this.#size);
    this.#passes = starts.map((from) => ({
      from,
      signs: Float32Array.from({ length: this.#size }, () => (next() >= 2 ** 31 ? norm : -norm)),
    }));
  }

  /** Rotates the numbers where they are. */
  turn(numbers: Float32Array): void {
    for (const { from, signs } of this.#passes) {
      const to = from + this.#size;
      for (let at = from; at < to; at++) numbers[at] = (numbers[at] as number) * (signs[at - from] as number);
      let width = 1;
      for (; width * 4 <= this.#size; width *= 4) foldFour(numbers, { from, to, width });
      if (width < this.#size) foldTwo(numbers, { from, to, width });
    }
  }
}

interface Fold {
  readonly from: number;
  readonly to: number;
  readonly width: number;
}

/** Two steps of a Hadamard transform at once. */
function foldFour(numbers: Float32Array, { from, to, width }: Fold): void {
  for (let start = from; start < to; start += 4 * width)
    for (let at = start; at < start + width; at++) {
      const first = numbers[at] as number;
      const second = numbers[at + width] as number;
      const third = numbers[at + 2 * width] as number;
      const fourth = numbers[at + 3 * width] as number;
      const left = first + second;
      const right = third + fourth;
      numbers[at] = left + right;
      numbers[at + 2 * width] = left - right;
      numbers[at + width] = first - second + (third - fourth);
      numbers[at + 3 * width] = first - second - (third - fourth);
    }
}

/** One step of a Hadamard transform. */
function foldTwo(numbers: Float32Array, { from, to, width }: Fold): void {
  for (let start = from; start < to; start += 2 * width)
    for (let at = start; at < start + width; at++) {
      const left = numbers[at] as number;
      const right = numbers[at + width] as number;
      numbers[at] = left + right;
      numbers[at + width] = left - right;
    }
}
