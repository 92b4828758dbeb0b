import { closeSync, openSync, readSync } from 'node:fs';

/** The first bytes of a file, with zeros behind the end of a shorter one; null when it cannot be read. */
export function firstBytes(path: string, count: number): Uint8Array | null {
  const head = new Uint8Array(count);
  try {
    const handle = openSync(path, 'r');
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
