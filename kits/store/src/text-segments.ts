import { safeCut } from '@kebab/core';

/** A part of a text, with its offset. */
export interface TextSegment {
  readonly start: number;
  readonly text: string;
}

/** Splits a text into the segments in which it is stored, of some number of bytes in UTF-8, without splitting surrogate pairs. */
export function segmentsOf(text: string, bytes: number): readonly TextSegment[] {
  const segments: TextSegment[] = [];
  const length = Math.max(2, Math.floor((bytes * text.length) / Buffer.byteLength(text)));
  for (let start = 0; start < text.length;) {
    const end = safeCut(text, Math.min(text.length, start + length));
    segments.push({ start, text: text.slice(start, end) });
    start = end;
  }
  return segments;
}

/** A chunk of a requested list, with one of the segments that contain its text. */
export interface ChunkSegment {
  /** The index of the chunk in the list. */
  readonly place: number;
  readonly text_start: number;
  readonly text_end: number;
  readonly segment_start: number | null;
  readonly segment: string | null;
}

/** Groups rows by chunk, in the order of the requested list, and the rows of one chunk by the start of their segments. */
export function groupByPlace<T extends ChunkSegment>(rows: readonly T[]): readonly (readonly T[])[] {
  const groups = new Map<number, T[]>();
  for (const row of rows.toSorted((a, b) => a.place - b.place || (a.segment_start ?? 0) - (b.segment_start ?? 0))) {
    const group = groups.get(row.place);
    if (group === undefined) groups.set(row.place, [row]);
    else group.push(row);
  }
  return [...groups.values()];
}

/** The stretch of text that the segments of a chunk hold. */
export function stretchOf(segments: readonly ChunkSegment[]): TextSegment {
  const [first] = segments;
  return {
    start: first?.segment_start ?? first?.text_start ?? 0,
    text: segments.map(({ segment }) => segment ?? '').join(''),
  };
}

/** The text of a chunk, from its segments. */
export function sliceOf({ text_start, text_end }: ChunkSegment, segments: readonly ChunkSegment[]): string {
  const { start, text } = stretchOf(segments);
  return text.slice(text_start - start, text_end - start);
}
