import { closeSync, readSync } from 'node:fs';
import { openRegularFile } from './read-regular-file.ts';

/** The first bytes of a file, with zeros behind the end of a shorter one; null when it cannot be read, or is no regular file. */
export function firstBytes(path: string, count: number): Uint8Array | null {
  const head = new Uint8Array(count);
  try {
    const handle = openRegularFile(path);
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
