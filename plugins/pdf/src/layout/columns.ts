import type { Segment } from './segments.ts';

/** A horizontal strip of a page, with the gap between its columns if it has columns. */
export interface Strip {
  readonly segments: readonly Segment[];
  readonly gutter: Gutter | undefined;
}

/** The segments that cross the gap between two columns, and those on either side. */
export interface Division {
  readonly across: readonly Segment[];
  readonly left: readonly Segment[];
  readonly right: readonly Segment[];
}

/** Text above and below white space of this height, in multiples of the font size, may have different columns. */
const BLANK = 0.6;
/** A piece this close to one that crosses the gap between columns belongs to it. */
const NEAR = 3;
/** If less than this share of the text crosses the gap, the whole page has the same columns. */
const FEW = 0.12;
/** A page with more pieces is a drawing; its lines are read from top to bottom. */
const MAX_SEGMENTS = 5000;

/**
 * Divides a page into strips with uniform columns: a page with a figure wider than its columns has three. The strips are in order, and
 * contain all segments.
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

/** Joins adjacent strips with the same gap between their columns, and those whose text does not cross the gap. */
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

/** Whether a segment crosses the gap; one that only reaches into it is a long line of its column. */
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

/** A gap between columns is at least this wide, in multiples of the font size, */
const MIN_WIDTH = 0.7;
/** has text on both sides for at least this height, */
const MIN_HEIGHT = 5;
/** and for at least this share of the lines. */
const MIN_SHARE = 0.25;
const MIN_SEGMENTS = 8;
/** A gap is where almost as many lines leave it free as at the best place. */
const NEARLY = 0.8;
const CELLS_ACROSS = 400;

/** The gap between two columns: its start and end along the lines, in points. */
interface Gutter {
  readonly from: number;
  readonly to: number;
}

/**
 * Finds the gap between two columns: the position along the lines that most lines with text on both sides leave free. Undefined if there is
 * none. `em` is the usual font size.
 */
function findGutter(segments: readonly Segment[], em: number): Gutter | undefined {
  if (segments.length < MIN_SEGMENTS) return undefined;
  let [left, right] = [Infinity, -Infinity];
  for (const { u0, u1 } of segments) {
    left = Math.min(left, u0);
    right = Math.max(right, u1);
  }
  const cell = Math.max((right - left) / CELLS_ACROSS, em / 8);
  const columns = Math.ceil((right - left) / cell) + 1;
  const { free, rows } = freeRows(segments, { left, cell, columns, em });
  let best = 0;
  for (const count of free) best = Math.max(best, count);
  if (best < Math.max(MIN_HEIGHT / ROW_HEIGHT, MIN_SHARE * rows)) return undefined;
  return mostCentral(free, NEARLY * best, { left, cell, columns, em });
}

/** Among gaps that are almost as long, the most central one: those at the side separate labels from their text. */
function mostCentral(free: Uint32Array, least: number, { left, cell, columns }: Grid): Gutter | undefined {
  let best: Gutter | undefined;
  let bestMargin = 0;
  for (let from = 0; from < columns; from++) {
    if ((free[from] ?? 0) < least) continue;
    let to = from;
    while ((free[to] ?? 0) >= least) to++;
    const margin = Math.min(from + to, 2 * columns - from - to);
    if (margin > bestMargin) {
      best = { from: left + from * cell, to: left + to * cell };
      bestMargin = margin;
    }
    from = to;
  }
  return best;
}

/** The height of one row of cells, in multiples of the font size. */
const ROW_HEIGHT = 0.5;

interface Grid {
  readonly left: number;
  readonly cell: number;
  readonly columns: number;
  readonly em: number;
}

/** For each column of cells, the number of rows in which it is in a gap between two texts; and the number of rows with text. */
function freeRows(
  segments: readonly Segment[],
  { left, cell, columns, em }: Grid,
): { readonly free: Uint32Array; readonly rows: number } {
  const rowHeight = ROW_HEIGHT * em;
  const rows = new Map<number, Uint8Array>();
  for (const { u0, u1, top, bottom } of segments) {
    const from = Math.max(0, Math.floor((u0 - left) / cell));
    const to = Math.min(columns, Math.ceil((u1 - left) / cell));
    const lastRow = Math.min(Math.floor(bottom / rowHeight), Math.floor(top / rowHeight) + 40);
    for (let at = Math.floor(top / rowHeight); at <= lastRow; at++) {
      let row = rows.get(at);
      if (row === undefined) rows.set(at, (row = new Uint8Array(columns)));
      row.fill(1, from, to);
    }
  }
  const free = new Uint32Array(columns);
  const least = (MIN_WIDTH * em) / cell;
  for (const row of rows.values()) {
    let end = row.indexOf(1);
    while (end !== -1) {
      const from = row.indexOf(0, end);
      const to = from === -1 ? -1 : row.indexOf(1, from);
      if (to === -1) break;
      if (to - from >= least) for (let at = from; at < to; at++) free[at] = (free[at] ?? 0) + 1;
      end = to;
    }
  }
  return { free, rows: rows.size };
}
