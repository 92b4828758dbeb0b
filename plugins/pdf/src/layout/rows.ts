import { sharesLine, type Segment } from './segments.ts';
import { bottomOf, topOf } from './text-run.ts';

/** Everything on one line of a column. */
export interface Row {
  readonly segments: readonly Segment[];
  readonly u0: number;
  readonly u1: number;
  /** Baseline and size of the largest segment. */
  readonly v: number;
  readonly size: number;
  readonly top: number;
  readonly bottom: number;
}

/** How many previous rows are searched for the row of a segment. */
const LOOK_BACK = 3;

/** Joins segments into rows, from the first line to the last. */
export function rowsOf(segments: readonly Segment[]): readonly Row[] {
  const rows: OpenRow[] = [];
  for (const segment of segments.toSorted((one, other) => one.v - other.v || one.u0 - other.u0)) {
    const row = lastSharing(rows, segment);
    if (row === undefined) rows.push({ ...segment, segments: [segment] });
    else widen(row, segment);
  }
  return rows.toSorted((one, other) => one.v - other.v);
}

function lastSharing(rows: readonly OpenRow[], segment: Segment): OpenRow | undefined {
  for (let at = rows.length - 1; at >= Math.max(0, rows.length - LOOK_BACK); at--) {
    const row = rows[at];
    if (row !== undefined && sharesLine(row, segment)) return row;
  }
  return undefined;
}

/** A row that may still grow: a page can have a hundred thousand pieces on one line. */
type OpenRow = { -readonly [K in Exclude<keyof Row, 'segments'>]: Row[K] } & { readonly segments: Segment[] };

function widen(row: OpenRow, segment: Segment): void {
  row.segments.push(segment);
  row.u0 = Math.min(row.u0, segment.u0);
  row.u1 = Math.max(row.u1, segment.u1);
  if (segment.size <= row.size) return;
  row.v = segment.v;
  row.size = segment.size;
  row.top = topOf(segment);
  row.bottom = bottomOf(segment);
}
