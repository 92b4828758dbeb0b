import { constants, promises as fs } from 'node:fs';

/** How much more than the cap is read in search of the end of the last line. */
const LINE_END_REACH = 1 << 20;

/** The beginning of a text file. */
export type FileHead =
  | {
      readonly kind: 'text';
      /** At most the cap, ending between two characters. */
      readonly body: string;
      /** The whole lines that the body lies in, without the last line feed. */
      readonly lines: string;
      readonly isCut: boolean;
      readonly totalBytes: number;
    }
  | { readonly kind: 'binary'; readonly why: string }
  | { readonly kind: 'failed'; readonly why: string };

/**
 * Reads at most `maxBytes` bytes of a text file, and not much more than that from the disk, however large it is. A file with
 * a NUL or with bytes that are not UTF-8 in what is read is binary; what is no file has failed, and is never waited for.
 */
export async function readHead(file: string, maxBytes: number): Promise<FileHead> {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  let handle: fs.FileHandle;
  try {
    handle = await fs.open(file, flags);
  } catch (error) {
    return { kind: 'failed', why: reasonOf(error) };
  }
  try {
    const stat = await handle.stat();
    if (stat.isDirectory()) return { kind: 'failed', why: 'it is a folder' };
    if (!stat.isFile()) return { kind: 'failed', why: 'it is not a regular file' };
    return await readText(handle, stat.size, maxBytes);
  } catch (error) {
    return { kind: 'failed', why: reasonOf(error) };
  } finally {
    await handle.close();
  }
}

async function readText(handle: fs.FileHandle, totalBytes: number, maxBytes: number): Promise<FileHead> {
  const head = await readBytes(handle, 0, Math.min(totalBytes, maxBytes));
  if (head.includes(0)) return { kind: 'binary', why: 'it holds NUL bytes' };
  const isCut = totalBytes > head.length;
  const kept = isCut ? head.subarray(0, characterBoundary(head)) : head;
  const body = decode(kept);
  if (body === null) return { kind: 'binary', why: 'it is not UTF-8' };
  const rest = isCut && !body.endsWith('\n') ? await readLineEnd(handle, kept.length, totalBytes) : '';
  return { kind: 'text', body, lines: `${body}${rest}`.replace(/\r?\n$/, ''), isCut, totalBytes };
}

/** What follows up to the end of the line; empty when the line is absurdly long or goes on with something else than text. */
async function readLineEnd(handle: fs.FileHandle, from: number, totalBytes: number): Promise<string> {
  const bytes = await readBytes(handle, from, Math.min(totalBytes - from, LINE_END_REACH));
  const end = bytes.indexOf(0x0a);
  if (end === -1 && from + bytes.length < totalBytes) return '';
  return decode(end === -1 ? bytes : bytes.subarray(0, end)) ?? '';
}

async function readBytes(handle: fs.FileHandle, position: number, length: number): Promise<Uint8Array> {
  const buffer = new Uint8Array(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

/** The last offset at which no character is cut. */
function characterBoundary(bytes: Uint8Array): number {
  let start = bytes.length - 1;
  while (start > 0 && bytes.length - start < 4 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start--;
  const lead = bytes[start] ?? 0;
  const width = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return start + width > bytes.length ? start : bytes.length;
}

function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function reasonOf(error: unknown): string {
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'string' ? code : error instanceof Error ? error.message : String(error);
}
