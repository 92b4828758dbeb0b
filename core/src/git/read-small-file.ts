import { readFile, stat } from 'node:fs/promises';

/** Far above any list of references that people keep; a device or a pipe must not stop a run. */
const MAX_BYTES = 64 * 1_048_576;

/** The text of a regular file; null when there is none, it cannot be read, or it is larger than 64 MiB. */
export async function readSmallFile(path: string): Promise<string | null> {
  try {
    const found = await stat(path);
    return found.isFile() && found.size <= MAX_BYTES ? await readFile(path, 'utf8') : null;
  } catch {
    return null;
  }
}
