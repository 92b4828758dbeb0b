/** What a batch may hold. */
export interface BatchLimits {
  readonly rows: number;
  /** Counted with the padding that makes all rows as long as the longest. */
  readonly tokens: number;
}

/** Groups rows of like length, the longest first, so that little is padded. Each batch is a list of places in `lengths`. */
export function rowBatches(lengths: readonly number[], { rows, tokens }: BatchLimits): readonly (readonly number[])[] {
  const order = lengths
    .map((_, place) => place)
    .toSorted((a, b) => lengthAt(lengths, b) - lengthAt(lengths, a) || a - b);
  const batches: number[][] = [];
  let current: number[] = [];
  let longest = 0;
  for (const place of order) {
    const fits = current.length > 0 && current.length < rows && longest * (current.length + 1) <= tokens;
    if (!fits) {
      current = [];
      batches.push(current);
      longest = lengthAt(lengths, place);
    }
    current.push(place);
  }
  return batches;
}

function lengthAt(lengths: readonly number[], place: number): number {
  return lengths[place] ?? 0;
}

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
