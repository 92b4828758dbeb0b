import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { KebabError } from '../errors/kebab-error.ts';

/** How a file of others is read. */
export interface RegularFileOptions {
  /** More than so many bytes are refused. */
  readonly maxBytes: number;
  /** Whether the path itself may be a link; true by default. */
  readonly followLink?: boolean | undefined;
}

/**
 * Reads a whole file that others may have put there, and may be changing: what is no regular file, has more bytes than allowed,
 * or gives more than it says it has, as files of `/proc` do, is refused and never waited for. Throws `io_error` for that, and
 * what the file system says otherwise.
 */
export function readRegularFile(file: string, { maxBytes, followLink = true }: RegularFileOptions): Buffer {
  const handle = openWithoutWaiting(file, followLink);
  const limit = Math.min(maxBytes, MAX_READ);
  try {
    let size = sizeOf(handle, file, limit);
    let bytes = Buffer.allocUnsafe(size + 1); // a byte more shows that there is more
    let length = 0;
    for (;;) {
      const read = readSome(handle, file, bytes.subarray(length));
      length += read;
      if (read === 0 || length === size) return bytes.subarray(0, length);
      if (length < bytes.length) continue;
      const grown = sizeOf(handle, file, limit);
      if (grown <= size)
        throw refused(file, 'EINVAL', 'gives more than it says it has: it is no file to be read whole');
      size = grown;
      bytes = Buffer.concat([bytes, Buffer.allocUnsafe(size + 1 - bytes.length)]);
    }
  } finally {
    closeSync(handle);
  }
}

/** The same as text. */
export function readRegularText(file: string, options: RegularFileOptions): string {
  return readRegularFile(file, options).toString('utf8');
}

/** Opens a regular file for reading, and nothing else: a pipe is not waited for. The caller closes it. */
export function openRegularFile(file: string, options: Pick<RegularFileOptions, 'followLink'> = {}): number {
  const handle = openWithoutWaiting(file, options.followLink ?? true);
  try {
    sizeOf(handle, file, Number.POSITIVE_INFINITY);
    return handle;
  } catch (error) {
    closeSync(handle);
    throw error;
  }
}

/** What a system call reads at most, less a byte. */
const MAX_READ = 2 ** 31 - 2;

/** Some files of `/proc` say that they are regular, and then have nothing to give at once, or nothing in this way. */
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
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants; // Windows has neither of the latter; a missing one counts as 0
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

/** The first bytes of a file, with zeros behind the end of a shorter one; null when it cannot be read, or is no regular file. */
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

/** Whether a real path is a real folder or lies below it. */
export function isInside(real: string, realRoot: string): boolean {
  return real === realRoot || real.startsWith(realRoot.endsWith(path.sep) ? realRoot : realRoot + path.sep);
}

/** Whether a file that is there lies below a folder once all links are followed; the folder itself may be reached by links. */
export function liesInside(file: string, root: string): boolean {
  try {
    const real = realpathSync.native(file);
    // What no link leads to lies where its path says, and so does every folder on the way.
    return (real === file && isInside(file, root)) || isInside(real, realpathSync.native(root));
  } catch {
    return false;
  }
}
