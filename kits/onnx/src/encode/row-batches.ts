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
