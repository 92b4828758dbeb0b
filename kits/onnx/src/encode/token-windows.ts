/** The part of a window that the one before has too: one in this many tokens. */
const OVERLAP_SHARE = 8;

/**
 * Cuts token ids into windows of at most `size`: one if they fit, else as few as possible of about equal length, each
 * sharing an eighth with the one before. Every id is in a window.
 */
export function tokenWindows(ids: readonly number[], size: number): readonly (readonly number[])[] {
  if (ids.length <= size) return [ids];
  const overlap = Math.floor(size / OVERLAP_SHARE);
  const count = Math.ceil((ids.length - overlap) / (size - overlap));
  const length = Math.min(size, Math.ceil((ids.length + overlap * (count - 1)) / count));
  const step = (ids.length - length) / (count - 1);
  return Array.from({ length: count }, (_, n) => {
    const start = Math.floor(n * step);
    return ids.slice(start, n === count - 1 ? ids.length : start + length);
  });
}
