/**
 * Quantises a vector: `codes[i] × scale` is within half a scale of `vector[i]`. Codes are -127 to 127; those beyond the vector's length are
 * zero. Returns the scale.
 */
export function quantize(vector: Float32Array, codes: Int8Array): number {
  let largest = 0;
  for (let at = 0; at < vector.length; at++) largest = Math.max(largest, Math.abs(vector[at] as number));
  const factor = 127 / largest;
  for (let at = 0; at < vector.length; at++) codes[at] = Math.round((vector[at] as number) * factor);
  codes.fill(0, vector.length);
  return largest / 127;
}

const MAX_INT32 = 2 ** 31 - 1;
const MAX_INT16 = 2 ** 15 - 1;

/** Quantises a query to 16-bit codes, as fine as possible without overflow in sums of products with 8-bit codes. Returns the scale. */
export function quantizeQuery(vector: Float32Array, codes: Int16Array): number {
  let largest = 0;
  for (let at = 0; at < vector.length; at++) largest = Math.max(largest, Math.abs(vector[at] as number));
  const finest = Math.min(MAX_INT16, Math.floor(MAX_INT32 / (127 * codes.length)));
  const factor = finest / largest;
  for (let at = 0; at < vector.length; at++) codes[at] = Math.round((vector[at] as number) * factor);
  codes.fill(0, vector.length);
  return largest / finest;
}
