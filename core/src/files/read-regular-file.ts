import { closeSync, constants, fstatSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { KebabError } from '../errors/kebab-error.ts';

/** How to read a file that another program may have created. */
export interface RegularFileOptions {
  /** Larger files are rejected. */
  readonly maxBytes: number;
  /** Whether the path itself may be a link; true by default. */
  readonly followLink?: boolean | undefined;
}

/**
 * Reads a whole file that other programs may have created or may be changing. A file is rejected, without waiting, when it is not a regular
 * file, exceeds the limit, or yields more bytes than its stated size, as files in `/proc` do. Throws `io_error` for these, and the system
 * error otherwise.
 */
export function readRegularFile(file: string, { maxBytes, followLink = true }: RegularFileOptions): Buffer {
  const handle = openWithoutWaiting(file, followLink);
  const limit = Math.min(maxBytes, MAX_READ);
  try {
    let size = sizeOf(handle, file, limit);
    let bytes = Buffer.allocUnsafe(size + 1); // one byte more, to detect a file that yields more
    let length = 0;
    for (;;) {
      const read = readSome(handle, file, bytes.subarray(length));
      length += read;
      if (read === 0 || length === size) return bytes.subarray(0, length);
      if (length < bytes.length) continue;
      const grown = sizeOf(handle, file, limit);
      if (grown <= size) throw refused(file, 'EINVAL', 'yields more bytes than its stated size');
      size = grown;
      bytes = Buffer.concat([bytes, Buffer.allocUnsafe(size + 1 - bytes.length)]);
    }
  } finally {
    closeSync(handle);
  }
}

/** Reads a regular file as text. */
export function readRegularText(file: string, options: RegularFileOptions): string {
  return readRegularFile(file, options).toString('utf8');
}

/** Opens a file for reading if it is a regular file; does not block on a pipe. The caller closes it. */
export function openRegularFile(file: string, options: Partial<RegularFileOptions> = {}): number {
  const handle = openWithoutWaiting(file, options.followLink ?? true);
  try {
    sizeOf(handle, file, options.maxBytes ?? Number.POSITIVE_INFINITY);
    return handle;
  } catch (error) {
    closeSync(handle);
    throw error;
  }
}

/** The maximum of one read call, minus one byte. */
const MAX_READ = 2 ** 31 - 2;

/** Some files in `/proc` claim to be regular, but then have nothing to read at once, or cannot be read this way. */
function readSome(handle: number, file: string, into: Uint8Array): number {
  try {
    return readSync(handle, into);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EAGAIN' && code !== 'EINVAL') throw error;
    throw refused(file, code, 'cannot be read as a file');
  }
}

function openWithoutWaiting(file: string, followLink: boolean): number {
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants; // Windows has neither of the last two; a missing flag counts as 0
  return openSync(file, O_RDONLY | O_NONBLOCK | (followLink ? 0 : O_NOFOLLOW));
}

function sizeOf(handle: number, file: string, maxBytes: number): number {
  const stat = fstatSync(handle);
  if (!stat.isFile()) throw refused(file, stat.isDirectory() ? 'EISDIR' : 'EINVAL', 'is not a regular file');
  if (stat.size > maxBytes) throw refused(file, 'EFBIG', `has ${stat.size} bytes, more than the ${maxBytes} allowed`);
  return stat.size;
}

function refused(file: string, kind: string, why: string): KebabError<'io_error'> {
  return new KebabError('io_error', `${file} ${why}`, { details: { kind, path: file, cause: why } });
}

/** The first bytes of a file, padded with zeros; null when it cannot be read or is not a regular file. */
export function firstBytes(file: string, count: number): Uint8Array | null {
  const head = new Uint8Array(count);
  try {
    const handle = openRegularFile(file);
    try {
      readSync(handle, head);
      return head;
    } finally {
      closeSync(handle);
    }
  } catch {
    return null;
  }
}

/** Whether a real path is a real folder or is inside it. */
export function isInside(real: string, realRoot: string): boolean {
  return real === realRoot || real.startsWith(realRoot.endsWith(path.sep) ? realRoot : realRoot + path.sep);
}

/** Whether an existing file is inside a folder once all links are resolved; the folder itself may be reached through links. */
export function liesInside(file: string, root: string): boolean {
  try {
    const real = realpathSync.native(file);
    // A path without links is where it says, and so are all its parent folders.
    return (real === file && isInside(file, root)) || isInside(real, realpathSync.native(root));
  } catch {
    return false;
  }
}

/**
 * An identity that differs between two files or folders at the same path; null when nothing exists there. Links are followed. Uses bigints:
 * the numbers of some file systems exceed the exact range of a double.
 */
export function identityOf(place: string): string | null {
  const stats = statSync(place, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? null : `${stats.dev}:${stats.ino}`;
}
