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
