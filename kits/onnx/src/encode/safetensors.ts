import type { FileHandle } from 'node:fs/promises';

/** The location of a tensor in a safetensors file. */
export interface TensorEntry {
  readonly dtype: string;
  readonly shape: readonly number[];
  /** From the beginning of the file. */
  readonly start: number;
  readonly end: number;
}

/** The maximum size of a header, which normally has some kilobytes; a longer one means another format. */
const MAX_HEADER_BYTES = 16 * 1024 * 1024;

/** The tensors of a safetensors file by name. Throws an `Error` for a file of another format, or a truncated one. */
export async function readTensorEntries(handle: FileHandle): Promise<ReadonlyMap<string, TensorEntry>> {
  const { size } = await handle.stat();
  const length = Buffer.alloc(8);
  await handle.read(length, 0, 8, 0);
  const headerBytes = Number(length.readBigUInt64LE(0));
  if (size < 8 || headerBytes > Math.min(MAX_HEADER_BYTES, size - 8))
    throw new Error('it is no safetensors file, or is cut off');
  const header = Buffer.alloc(headerBytes);
  await handle.read(header, 0, headerBytes, 8);
  const parsed = JSON.parse(header.toString('utf8')) as Record<string, RawEntry>;
  const entries = new Map<string, TensorEntry>();
  for (const [name, { dtype, shape, data_offsets: offsets }] of Object.entries(parsed)) {
    if (name === '__metadata__') continue;
    const [start, end] = offsets.map((offset) => offset + 8 + headerBytes) as [number, number];
    if (end > size) throw new Error(`it is cut off: ${size} bytes of at least ${end}`);
    entries.set(name, { dtype, shape, start, end });
  }
  return entries;
}

interface RawEntry {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly data_offsets: readonly [number, number];
}

/** The bytes of a tensor in a separate buffer, aligned for any number type. */
export async function readTensorBytes(
  handle: FileHandle,
  { start, end }: TensorEntry,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(end - start);
  for (let at = 0; at < bytes.length;) {
    const { bytesRead } = await handle.read(bytes, at, bytes.length - at, start + at);
    if (bytesRead === 0) throw new Error('it became shorter while it was read');
    at += bytesRead;
  }
  return bytes;
}
