/** The worst text of this size takes less than a second and 90 MiB in a cold process, see decision 51. */
const SMALL_BYTES = 64 * 1024;
/** A longer text takes no more than that as long as it has no more lines: every block begins on a line of its own. */
const MAX_BYTES = 512 * 1024;
const MAX_LINES = 16_384;
const NEWLINE = 0x0a;

/** Whether an extractor that comes with kebab for texts reads this one in little time and memory, whatever stands in it. */
export function isBoundedText(bytes: Uint8Array): boolean {
  if (bytes.length <= SMALL_BYTES) return true;
  if (bytes.length > MAX_BYTES) return false;
  let lines = 1;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) lines++;
  return lines <= MAX_LINES;
}
