/** A vector, and how much it counts. */
export interface WeightedVector {
  readonly vector: Float32Array;
  readonly weight: number;
}

/** The vector of the same direction and length 1; null for what has no direction: nonsense, zero, not finite. */
export function unitVector(numbers: ArrayLike<unknown>): Float32Array | null {
  const vector = Float64Array.from(numbers, (number) => (typeof number === 'number' ? number : Number.NaN));
  const length = Math.hypot(...vector);
  if (!Number.isFinite(length) || length === 0) return null;
  return Float32Array.from(vector, (number) => number / length);
}

/** The direction between vectors of one length, the heavier ones counting more; null when they cancel each other out. */
export function weightedMean(vectors: readonly WeightedVector[]): Float32Array | null {
  const [first] = vectors;
  if (first === undefined) return null;
  const sum = new Float64Array(first.vector.length);
  for (const { vector, weight } of vectors)
    for (const [at, number] of vector.entries()) sum[at] = (sum[at] ?? 0) + number * weight;
  return unitVector(sum);
}
