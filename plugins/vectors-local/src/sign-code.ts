import { BLOCK_ROWS, SEGMENT_ROWS, strideOf } from './segment-layout.ts';

/** The highest entry of a table: the sum of eight of them fits into a byte. */
const MAX_ENTRY = 31;

/**
 * Standard deviation of an estimate, in units of the vector's factor times the length of the query: the information about a randomly
 * oriented vector that its signs lack.
 */
const ERROR = Math.sqrt(1 - 2 / Math.PI);

/** The same for an estimate from signs and second signs, in units of the second factor. */
const SECOND_ERROR = 0.65;

/**
 * The threshold between inner and outer levels, in standard deviations: for the distribution of a rotated vector's components, four levels
 * preserve most with it.
 */
const OUTER = 0.9957;

/** The signs of a segment in the kernel's layout, and the second signs, row by row. */
export interface SegmentSigns {
  readonly signs: Uint8Array;
  readonly seconds: Uint8Array;
}

/** A query in the kernel's layout. */
export interface SignQuery {
  /** 16 entries for every four dimensions, indexed by their signs: sums of the query's components with these signs, in steps. */
  readonly tables: Uint8Array;
  /** The size of a step. */
  readonly scale: number;
  /** Added to a sum of entries, in units of the query's components; includes the margin of error. */
  readonly offset: number;
  /** Added to the kernel's result to get the bound of a cosine. */
  readonly base: number;
  /** The part of the offset that is the margin of error. */
  readonly margin: number;
  /** The query minus the centre, rotated. */
  readonly rest: Float32Array;
}

/**
 * Encodes vectors as signs: one bit per dimension of the rotated difference between a vector and the centre of its collection. With a
 * factor and a shift they give an unbiased estimate of the vector's product with any query, whose error shrinks with the number of
 * dimensions (the estimate of RaBitQ, Gao and Long 2024). The rotation makes that true for all vectors, the centre makes the difference
 * short. Second signs encode the remainder of each component: together both tell to which of the levels -3, -1, 1 and 3 it is nearest,
 * which halves the error.
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

  /** Writes the signs, the second signs, the factors and the shift of a vector, times `scale`, to a row of a segment. */
  write(
    vector: ArrayLike<number>,
    scale: number,
    { signs, seconds, row }: SegmentSigns & { readonly row: number },
  ): void {
    const rest = this.#rest;
    let shift = 0;
    let square = 0;
    let sum = 0;
    let outerSum = 0;
    for (let at = 0; at < this.#dimensions; at++) {
      const value = (vector[at] as number) * scale;
      const left = value - (this.#centre[at] as number);
      rest[at] = left;
      shift += value * (this.#centre[at] as number);
      square += left * left;
    }
    rest.fill(0, this.#dimensions);
    this.#rotation.turn(rest);
    const outer = OUTER * Math.sqrt(square / this.#stride);
    const planes = this.#stride / 8;
    const first = Math.floor(row / BLOCK_ROWS) * planes * BLOCK_ROWS + (row % BLOCK_ROWS);
    for (let plane = 0, at = 0; plane < planes; plane++) {
      let bits = 0;
      let secondBits = 0;
      for (let bit = 1; bit < 256; bit *= 2, at++) {
        const value = rest[at] as number;
        const size = Math.abs(value);
        const isAbove = Number(value > 0);
        const isOuter = Number(size > outer);
        bits |= isAbove * bit;
        secondBits |= Number(isOuter === isAbove) * bit;
        sum += size;
        outerSum += isOuter * size;
      }
      signs[first + plane * BLOCK_ROWS] = bits;
      seconds[row * planes + plane] = secondBits;
    }
    const numbers = new DataView(signs.buffer, signs.byteOffset + planes * SEGMENT_ROWS, SEGMENT_ROWS * 8);
    numbers.setFloat32(row * 4, sum === 0 ? 0 : square / sum, true);
    numbers.setFloat32((SEGMENT_ROWS + row) * 4, shift, true);
    const factors = new DataView(seconds.buffer, seconds.byteOffset + planes * SEGMENT_ROWS, SEGMENT_ROWS * 4);
    factors.setFloat32(row * 4, sum === 0 ? 0 : square / (sum + 2 * outerSum), true);
  }

  /** The tables of a query, for bounds `deviations` standard deviations above the estimates. */
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
    const margin = deviations * ERROR * length;
    const offset = least.reduce((sum, value) => sum + value, 0) + margin;
    return { tables, scale, offset, base, margin, rest };
  }
}

/** Computes bounds of a query from second signs, a number of standard deviations above their estimates. */
export class SecondBounds {
  readonly #margin: number;
  readonly #secondMargin: number;
  /** 256 entries for every eight dimensions, indexed by their signs: sums of the query's components with these signs. */
  readonly #tables: Float32Array;

  constructor({ rest, margin }: SignQuery, deviations: number) {
    this.#margin = margin;
    this.#secondMargin = deviations * SECOND_ERROR * Math.sqrt(rest.reduce((sum, value) => sum + value * value, 0));
    this.#tables = new Float32Array(rest.length * 32);
    for (let plane = 0; plane < rest.length / 8; plane++) {
      const numbers = rest.subarray(plane * 8, plane * 8 + 8);
      const table = this.#tables.subarray(plane * 256, plane * 256 + 256);
      table[0] = -numbers.reduce((sum, value) => sum + value, 0);
      for (const [bit, value] of numbers.entries())
        for (let signs = 0; signs < 1 << bit; signs++) table[signs | (1 << bit)] = (table[signs] as number) + 2 * value;
    }
  }

  /** The bound of a row from the bound, the factor and the shift of its signs, and from its second signs. */
  bound(bound: number, { factor, shift, seconds, row }: RowSigns): number {
    const planes = this.#tables.length / 256;
    if (factor === 0) return bound;
    let sum = 0;
    for (let plane = 0; plane < planes; plane++)
      sum += this.#tables[plane * 256 + (seconds.bits[row * planes + plane] as number)] as number;
    const first = (bound - shift) / factor - this.#margin;
    return shift + (seconds.factors[row] as number) * (2 * first + sum + this.#secondMargin);
  }
}

/** The signs and second signs of a row of a segment. */
export interface RowSigns {
  readonly factor: number;
  readonly shift: number;
  readonly seconds: SecondSigns;
  readonly row: number;
}

/** The second signs of a segment: its bits row by row, and a factor per row. */
export interface SecondSigns {
  readonly bits: Uint8Array;
  readonly factors: Float32Array;
}

/**
 * A fixed, cheap rotation: random signs and a Hadamard transform over the first components, as many as the largest power of two that fits,
 * then other signs and a transform over the same number of last ones. A single pass would leave patterns.
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

  /** Rotates the numbers in place. */
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
