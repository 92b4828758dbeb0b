import { readRegularText } from '../files/read-regular-file.ts';

/** Far above any list of references that people keep. */
const MAX_BYTES = 64 * 1_048_576;

/** The text of a regular file; null when there is none, it cannot be read, or it is larger than 64 MiB. */
export async function readSmallFile(path: string): Promise<string | null> {
  try {
    return readRegularText(path, { maxBytes: MAX_BYTES });
  } catch {
    return null;
  }
}
