/** Adds up vectors by weight; the result is their direction. */
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

  /** The vector of length 1 in the direction of the sum; null when it has none, or holds what is no number. */
  unit(): Float32Array | null {
    const sum = this.#sum;
    let squares = 0;
    for (let at = 0; at < sum.length; at++) squares += (sum[at] as number) ** 2;
    if (!(squares > 0 && squares < Infinity)) return null;
    const factor = 1 / Math.sqrt(squares);
    const unit = new Float32Array(sum.length); // in loops: `from` with a function takes ten times as long
    for (let at = 0; at < sum.length; at++) unit[at] = (sum[at] as number) * factor;
    return unit;
  }
}

/** The number that 16 bits of IEEE 754 half precision stand for. */
export function halfToFloat(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 0x1f) return fraction === 0 ? sign * Infinity : Number.NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/** Half-precision numbers as single-precision ones. */
export function halvesToFloats(bits: Uint16Array): Float32Array {
  return Float32Array.from(bits, halfToFloat);
}
