import { dividedAt, stripsOf, type Division } from './columns.ts';
import { rowsOf, type Row } from './rows.ts';
import type { Segment } from './segments.ts';

/** What {@link readingOrder} knows of the page. */
export interface OrderOptions {
  /** The usual font size, in points. */
  readonly em: number;
  /** Whether columns are read from right to left. */
  readonly rtl: boolean;
}

/** A column of text is made of pieces of at least this length, in parts of the font size; shorter ones are cells or labels. */
const MIN_COLUMN = 6;
/** In a table this share of the rows stand beside one of the other side. */
const ALIGNED = 0.75;
const MAX_DEPTH = 6;

/**
 * Puts the lines of a page in the order in which they are read: column by column, and across where a line reaches over
 * the gap between columns, as a title does. Rows of tables and lists stay whole.
 */
export function readingOrder(segments: readonly Segment[], options: OrderOptions, depth = 0): readonly Row[] {
  if (depth === MAX_DEPTH) return rowsOf(segments);
  return stripsOf(segments, options.em).flatMap((strip) =>
    strip.gutter === undefined
      ? rowsOf(strip.segments)
      : orderOfStrip(strip.segments, dividedAt(strip.segments, strip.gutter, options.em), { ...options, depth }),
  );
}

function orderOfStrip(
  segments: readonly Segment[],
  division: Division,
  { depth, ...options }: OrderOptions & { readonly depth: number },
): readonly Row[] {
  const shorter = Math.min(usualLength(division.left), usualLength(division.right));
  if (shorter < MIN_COLUMN * options.em) return rowsOf(segments);
  const below = (part: readonly Segment[]): readonly Row[] => readingOrder(part, options, depth + 1);
  return bandsOf(division).flatMap((band) => {
    if (band.kind === 'across') return below(band.segments);
    if (isTableLike(band.left, band.right, options.em)) return rowsOf([...band.left, ...band.right]);
    return options.rtl ? [...below(band.right), ...below(band.left)] : [...below(band.left), ...below(band.right)];
  });
}

type Band =
  | { readonly kind: 'across'; readonly segments: Segment[] }
  | { readonly kind: 'columns'; readonly left: Segment[]; readonly right: Segment[] };

/** The stretches of a strip from top to bottom: what reaches over the gap, what stands in columns, and so on. */
function bandsOf({ across, left, right }: Division): readonly Band[] {
  const sides = [
    ...across.map((segment) => ({ segment, side: 'across' as const })),
    ...left.map((segment) => ({ segment, side: 'left' as const })),
    ...right.map((segment) => ({ segment, side: 'right' as const })),
  ].toSorted((one, other) => one.segment.v - other.segment.v);
  const bands: Band[] = [];
  for (const { segment, side } of sides) {
    const last = bands.at(-1);
    if (side === 'across') {
      if (last?.kind === 'across') last.segments.push(segment);
      else bands.push({ kind: 'across', segments: [segment] });
    } else if (last?.kind === 'columns') last[side].push(segment);
    else {
      const band: Band = { kind: 'columns', left: [], right: [] };
      band[side].push(segment);
      bands.push(band);
    }
  }
  return bands;
}

/** Cells of a table stand on the same lines, and those of one side are short. */
function isTableLike(left: readonly Segment[], right: readonly Segment[], em: number): boolean {
  if (Math.min(usualLength(left), usualLength(right)) >= MIN_COLUMN * em) return false;
  const [few, many] = [rowsOf(left), rowsOf(right)].toSorted((one, other) => one.length - other.length);
  if (few === undefined || many === undefined || few.length < 2) return false;
  const aligned = few.filter(({ v }) => many.some((row) => Math.abs(row.v - v) <= 2));
  return aligned.length >= ALIGNED * few.length;
}

/** The length at which half of a text stands in longer pieces. */
function usualLength(segments: readonly Segment[]): number {
  const lengths = segments.map(({ u0, u1 }) => u1 - u0).toSorted((one, other) => other - one);
  const half = lengths.reduce((sum, length) => sum + length, 0) / 2;
  let sum = 0;
  return lengths.find((length) => (sum += length) >= half) ?? 0;
}
