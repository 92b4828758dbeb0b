import type { TextRange } from '@kebab/core';

/** The range that contains an offset, among sorted ranges without overlaps; undefined when there is none. */
export function rangeAt<R extends TextRange>(ranges: readonly R[], offset: number): R | undefined {
  const range = ranges[firstFrom(ranges, offset + 1) - 1];
  return range !== undefined && offset < range.end ? range : undefined;
}

/** The ranges that begin in `[start, end)`, among sorted ranges. */
export function startingIn<R extends TextRange>(ranges: readonly R[], { start, end }: TextRange): readonly R[] {
  return ranges.slice(firstFrom(ranges, start), firstFrom(ranges, end));
}

/** The index of the first range that begins at or after an offset, among sorted ranges. */
export function firstFrom(ranges: readonly TextRange[], offset: number): number {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.start ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Where a match stands in its text. */
export function rangeOf({ 0: all, index }: RegExpExecArray): TextRange {
  return { start: index, end: index + all.length };
}

/** Replaces ranges of a text by spaces, keeping line feeds, so that offsets do not change. */
export function blanked(text: string, ranges: readonly TextRange[]): string {
  let result = '';
  let at = 0;
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) {
    if (end <= at) continue;
    const from = Math.max(at, start);
    result += text.slice(at, from) + text.slice(from, end).replaceAll(/[^\n]/g, ' ');
    at = end;
  }
  return result + text.slice(at);
}
