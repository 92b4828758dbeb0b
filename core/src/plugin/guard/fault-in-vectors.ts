/** How far from 1 the length of a unit vector may be. */
const TOLERANCE = 1e-3;

/** What is wrong with the answer of an embedder, as one line; null when it keeps its promises. */
export function faultInVectors(
  vectors: readonly (Float32Array | null)[],
  { count, dimensions }: { readonly count: number; readonly dimensions: number },
): string | null {
  if (!Array.isArray(vectors)) return 'its answer is no list of vectors';
  if (vectors.length !== count) return `${count} texts came back as ${vectors.length} vectors`;
  for (const vector of vectors) {
    if (vector === null) continue;
    if (!(vector instanceof Float32Array)) return 'a vector is no Float32Array';
    if (vector.length !== dimensions) return `a vector has ${vector.length} dimensions instead of ${dimensions}`;
    const squared = vector.reduce((sum, value) => sum + value * value, 0);
    if (!Number.isFinite(squared)) return 'a vector holds a value that is not finite';
    if (Math.abs(Math.sqrt(squared) - 1) > TOLERANCE) return `a vector has length ${Math.sqrt(squared)} instead of 1`;
  }
  return null;
}
