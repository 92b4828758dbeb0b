const EMPTY = new Uint8Array(0);

/** A vector as cached bytes, little-endian float32; a text without a vector is no bytes at all. */
export function encodeVector(vector: Float32Array | null): Uint8Array {
  if (vector === null) return EMPTY;
  const bytes = new Uint8Array(vector.length * 4);
  const view = new DataView(bytes.buffer);
  for (const [i, value] of vector.entries()) view.setFloat32(i * 4, value, true);
  return bytes;
}

/** The vector in cached bytes: null for a text without one, undefined when the bytes cannot be of this many dimensions. */
export function decodeVector(bytes: Uint8Array, dimensions: number): Float32Array | null | undefined {
  if (bytes.length === 0) return null;
  if (bytes.length !== dimensions * 4) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const vector = new Float32Array(dimensions);
  for (let i = 0; i < dimensions; i++) vector[i] = view.getFloat32(i * 4, true);
  return vector;
}
