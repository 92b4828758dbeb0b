import type { SampledFile } from './sample-files.ts';

/** The file without the middle third of its bytes, as an unfinished edit leaves it: parsers meet errors in it. */
export function damaged({ path, bytes }: SampledFile): SampledFile {
  const third = Math.floor(bytes.length / 3);
  return { path, bytes: Buffer.concat([bytes.subarray(0, third), bytes.subarray(2 * third)]) };
}
