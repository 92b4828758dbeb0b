/** The worst-case text of this size parses in less than a second and 90 MiB in a cold process (decision 42). */
const SMALL_BYTES = 64 * 1024;
/** A longer text stays within that cost if it has at most `MAX_LINES` lines, because every block begins on a line of its own. */
const MAX_BYTES = 512 * 1024;
const MAX_LINES = 16_384;
const NEWLINE = 0x0a;

/** Whether a built-in text extractor parses this text in little time and memory, whatever its content. */
export function isBoundedText(bytes: Uint8Array): boolean {
  if (bytes.length <= SMALL_BYTES) return true;
  if (bytes.length > MAX_BYTES) return false;
  let lines = 1;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) lines++;
  return lines <= MAX_LINES;
}
