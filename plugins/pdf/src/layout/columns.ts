import { findGutter, type Gutter } from './find-gutter.ts';
import type { Segment } from './segments.ts';

/** A stretch of a page from side to side, with the gap between its columns if it has some. */
export interface Strip {
  readonly segments: readonly Segment[];
  readonly gutter: Gutter | undefined;
}

/** What reaches over the gap between two columns, and what stands on its sides. */
export interface Division {
  readonly across: readonly Segment[];
  readonly left: readonly Segment[];
  readonly right: readonly Segment[];
}

/** Text above and below of white space as high as this, in parts of the font size, may have columns of its own. */
const BLANK = 0.6;
/** A piece this near to one that crosses the gap between columns belongs to it. */
const NEAR = 3;
/** While less than this share of the text crosses the gap, the whole page has the same columns. */
const FEW = 0.12;
/** A page with more pieces is a drawing; its lines are read from top to bottom. */
const MAX_SEGMENTS = 5000;

/**
 * Divides a page into strips that have the same columns all through: a page whose figure is wider than its columns has
 * three. The strips are in order, and hold all segments.
 */
export function stripsOf(segments: readonly Segment[], em: number): readonly Strip[] {
  const gutter = segments.length > MAX_SEGMENTS ? undefined : findGutter(segments, em);
  if (gutter === undefined) return [{ segments, gutter }];
  const crossing = segments.filter((segment) => crosses(segment, gutter, em));
  if (lengthOf(crossing) <= FEW * lengthOf(segments)) return [{ segments, gutter }];
  const pieces = dividedAtBlanks(segments, em).map((part) => ({ segments: part, gutter: findGutter(part, em) }));
  if (pieces.every((piece) => piece.gutter === undefined)) return [{ segments, gutter }];
  return joined(pieces, em);
}

/** Divides a strip at the gap between its columns. */
export function dividedAt(segments: readonly Segment[], gutter: Gutter, em: number): Division {
  const crossing = segments.filter((segment) => crosses(segment, gutter, em));
  const joins = (segment: Segment): boolean =>
    crossing.some(
      (one) => Math.abs(one.v - segment.v) <= 2 && segment.u0 - one.u1 < NEAR * em && one.u0 - segment.u1 < NEAR * em,
    );
  const across: Segment[] = [];
  const left: Segment[] = [];
  const right: Segment[] = [];
  for (const segment of segments) {
    if (crosses(segment, gutter, em) || joins(segment)) across.push(segment);
    else if (segment.u0 + segment.u1 < gutter.from + gutter.to) left.push(segment);
    else right.push(segment);
  }
  return { across, left, right };
}

/** Neighbours with the same gap between their columns become one strip, and so does what lies on its sides alone. */
function joined(pieces: readonly Strip[], em: number): readonly Strip[] {
  const strips: Strip[] = [];
  for (const piece of pieces) {
    let strip = piece;
    for (let last = strips.at(-1); last !== undefined && belongTogether(last, strip, em); last = strips.at(-1)) {
      strips.pop();
      strip = { segments: [...last.segments, ...strip.segments], gutter: last.gutter ?? strip.gutter };
    }
    strips.push(strip);
  }
  return strips;
}

function belongTogether(one: Strip, other: Strip, em: number): boolean {
  const gutter = one.gutter ?? other.gutter;
  if (gutter === undefined) return false;
  if (one.gutter !== undefined && other.gutter !== undefined && isSame(one.gutter, other.gutter)) return true;
  const rest = one.gutter === undefined ? one : other;
  return !rest.segments.some((segment) => crosses(segment, gutter, em));
}

function isSame(one: Gutter, other: Gutter): boolean {
  return one.from < other.to && other.from < one.to;
}

/** What only reaches into the gap is a long line of its column. */
function crosses({ u0, u1 }: Segment, { from, to }: Gutter, em: number): boolean {
  const margin = Math.min(0.2 * em, 0.25 * (to - from));
  return u0 < from + margin && u1 > to - margin;
}

function lengthOf(segments: readonly Segment[]): number {
  return segments.reduce((sum, { u0, u1 }) => sum + u1 - u0, 0);
}

function dividedAtBlanks(segments: readonly Segment[], em: number): readonly (readonly Segment[])[] {
  const parts: Segment[][] = [];
  let end = -Infinity;
  for (const segment of segments.toSorted((one, other) => one.top - other.top)) {
    const last = parts.at(-1);
    if (last === undefined || segment.top - end > BLANK * em) parts.push([segment]);
    else last.push(segment);
    end = Math.max(end, segment.bottom);
  }
  return parts;
}
