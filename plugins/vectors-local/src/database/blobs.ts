/** The bytes of a typed array, without copying. */
export function bytesOf(array: Float32Array | Uint32Array | Int8Array): Buffer {
  return Buffer.from(array.buffer, array.byteOffset, array.byteLength);
}

/** The numbers of a BLOB; copied only if they are not aligned in memory. */
export function floatsOf(blob: Buffer): Float32Array {
  const { buffer, byteOffset, length } = blob;
  return byteOffset % 4 === 0
    ? new Float32Array(buffer, byteOffset, length / 4)
    : new Float32Array(buffer.slice(byteOffset, byteOffset + length));
}

/** The words of a BLOB; copied only if they are not aligned in memory. */
export function wordsOf(blob: Buffer): Uint32Array {
  const floats = floatsOf(blob);
  return new Uint32Array(floats.buffer, floats.byteOffset, floats.length);
}

/** The stored form of an id: 16 bytes instead of 32 digits. */
export function idBytes(id: string): Buffer {
  return Buffer.from(id, 'hex');
}
