/** The limits of a batch. */
interface BatchLimits {
  readonly rows: number;
  /** Including the padding of all rows to the length of the longest. */
  readonly tokens: number;
}

/** Groups rows of similar length, longest first, to minimise padding. Each batch is a list of indexes into `lengths`. */
export function rowBatches(lengths: readonly number[], { rows, tokens }: BatchLimits): readonly (readonly number[])[] {
  const order = lengths
    .map((_, place) => place)
    .toSorted((a, b) => lengthAt(lengths, b) - lengthAt(lengths, a) || a - b);
  const batches: number[][] = [];
  let current: number[] = [];
  let longest = 0;
  for (const place of order) {
    const fits = current.length > 0 && current.length < rows && longest * (current.length + 1) <= tokens;
    if (!fits) {
      current = [];
      batches.push(current);
      longest = lengthAt(lengths, place);
    }
    current.push(place);
  }
  return batches;
}

function lengthAt(lengths: readonly number[], place: number): number {
  return lengths[place] ?? 0;
}

/** The overlap of consecutive windows: one in this many tokens. */
const OVERLAP_SHARE = 8;

/**
 * Splits token ids into windows of at most `size`: one if they fit, otherwise as few as possible of about equal length, each overlapping
 * the previous one by an eighth. Every id is in a window.
 */
export function tokenWindows(ids: readonly number[], size: number): readonly (readonly number[])[] {
  if (ids.length <= size) return [ids];
  const overlap = Math.floor(size / OVERLAP_SHARE);
  const count = Math.ceil((ids.length - overlap) / (size - overlap));
  const length = Math.min(size, Math.ceil((ids.length + overlap * (count - 1)) / count));
  const step = (ids.length - length) / (count - 1);
  return Array.from({ length: count }, (_, n) => {
    const start = Math.floor(n * step);
    return ids.slice(start, n === count - 1 ? ids.length : start + length);
  });
}

/** Computes the direction of a weighted sum of vectors. */
export class VectorMean {
  readonly #sum: Float64Array;

  constructor(dimensions: number) {
    this.#sum = new Float64Array(dimensions);
  }

  /** Adds the numbers of `data` from `offset` on. */
  add(
    data: ArrayLike<number>,
    { offset = 0, weight = 1 }: { readonly offset?: number; readonly weight?: number } = {},
  ): void {
    const sum = this.#sum;
    for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] as number) + weight * (data[offset + at] as number);
  }

  /** The sum normalised to length 1; null if it is zero or contains NaN. */
  unit(): Float32Array | null {
    const sum = this.#sum;
    let squares = 0;
    for (let at = 0; at < sum.length; at++) squares += (sum[at] as number) ** 2;
    if (!(squares > 0 && squares < Infinity)) return null;
    const factor = 1 / Math.sqrt(squares);
    const unit = new Float32Array(sum.length); // a loop, because `from` with a function takes ten times as long
    for (let at = 0; at < sum.length; at++) unit[at] = (sum[at] as number) * factor;
    return unit;
  }
}

/** Converts 16 bits of IEEE 754 half precision to a number. */
export function halfToFloat(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 0x1f) return fraction === 0 ? sign * Infinity : Number.NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/** Converts half-precision to single-precision numbers. */
export function halvesToFloats(bits: Uint16Array): Float32Array {
  return Float32Array.from(bits, halfToFloat);
}
