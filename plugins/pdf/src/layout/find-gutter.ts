import type { Segment } from './segments.ts';

/** A gap between columns is at least this wide, in parts of the font size, */
const MIN_WIDTH = 0.7;
/** has text on both sides for at least this height, */
const MIN_HEIGHT = 5;
/** and for at least this share of the lines. */
const MIN_SHARE = 0.25;
const MIN_SEGMENTS = 8;
/** A gap lies where nearly as many lines leave it free as anywhere. */
const NEARLY = 0.8;
const CELLS_ACROSS = 400;

/** The gap between two columns: where it begins and ends along the lines, in points. */
export interface Gutter {
  readonly from: number;
  readonly to: number;
}

/**
 * Finds the gap between two columns: the place along the lines that most lines leave free while they have text on both
 * sides of it. Undefined where there is none. `em` is the usual font size.
 */
export function findGutter(segments: readonly Segment[], em: number): Gutter | undefined {
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

/** Of gaps that are nearly as long the one in the middle: those at the side part labels from what they label. */
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

/** The height of one row of cells, in parts of the font size. */
const ROW_HEIGHT = 0.5;

interface Grid {
  readonly left: number;
  readonly cell: number;
  readonly columns: number;
  readonly em: number;
}

/** For each column of cells, how many rows of cells have it in a gap between two texts; and how many rows have text. */
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
