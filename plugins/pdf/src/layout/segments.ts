import { bottomOf, topOf, type TextRun } from './text-run.ts';

/** Adjacent runs on one line, without a gap as wide as one between columns. */
export interface Segment {
  readonly runs: readonly TextRun[];
  readonly u0: number;
  readonly u1: number;
  /** Baseline and size of the largest run. */
  readonly v: number;
  readonly size: number;
  readonly top: number;
  readonly bottom: number;
}

/** A wider gap may be one between columns, in multiples of the font size. pdf.js breaks pieces at gaps of this size. */
const MAX_GAP = 0.6;
/** Letters with manually set accents begin slightly before the end of the previous run. */
const MAX_STEP_BACK = 0.6;

/** Joins the runs of one frame into segments, in the order of the stream. */
export function segmentsOf(runs: readonly TextRun[]): readonly Segment[] {
  const segments: Segment[] = [];
  let open: TextRun[] = [];
  let segment: Segment | undefined;
  for (const run of runs) {
    if (segment !== undefined && continues(segment, run)) {
      open.push(run);
      segment = grown(segment, run, open);
      segments[segments.length - 1] = segment;
    } else {
      open = [run];
      const { u0, u1, v, size } = run;
      segment = { runs: open, u0, u1, v, size, top: topOf(run), bottom: bottomOf(run) };
      segments.push(segment);
    }
  }
  return segments;
}

/** The maximum size of an index (a sub- or superscript), as a share of that of the text beside it. */
const INDEX_SIZE = 0.85;
/** The maximum distance of their baselines, as a share of the same. */
const INDEX_RISE = 0.52;

/** Whether two pieces are on the same line: their baselines are equal within 2 points, or they overlap like a word and its index. */
export function sharesLine(one: Pick<TextRun, 'v' | 'size'>, other: Pick<TextRun, 'v' | 'size'>): boolean {
  const apart = Math.abs(one.v - other.v);
  const [small, large] = [Math.min(one.size, other.size), Math.max(one.size, other.size)];
  if (apart <= Math.min(2, 0.5 * small)) return true;
  const overlap = Math.min(bottomOf(one), bottomOf(other)) - Math.max(topOf(one), topOf(other));
  if (small <= INDEX_SIZE * large && apart <= INDEX_RISE * large) return overlap >= 0.4 * small;
  return overlap >= 0.5 * small && apart <= 0.7 * small;
}

function continues(segment: Segment, run: TextRun): boolean {
  if (!sharesLine(segment, run)) return false;
  const size = Math.max(segment.size, run.size);
  const gap = run.u0 >= segment.u0 ? run.u0 - segment.u1 : segment.u0 - run.u1;
  return gap <= MAX_GAP * size && gap >= -MAX_STEP_BACK * size;
}

function grown(segment: Segment, run: TextRun, runs: readonly TextRun[]): Segment {
  const largest = run.size > segment.size ? run : segment;
  return {
    runs,
    u0: Math.min(segment.u0, run.u0),
    u1: Math.max(segment.u1, run.u1),
    v: largest.v,
    size: largest.size,
    top: topOf(largest),
    bottom: bottomOf(largest),
  };
}
