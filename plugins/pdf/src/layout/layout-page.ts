import { dividedAt, stripsOf, type Division } from './columns.ts';
import { type Row, rowsOf } from './rows.ts';
import { segmentsOf, type Segment } from './segments.ts';
import type { PageLayout, PlacedLine, TextRun } from './text-run.ts';

/**
 * Puts the pieces of a page in reading order: one line per line, and a blank line where the distance indicates the end of a paragraph. Text
 * in a different direction than most of the page comes last.
 */
export function layoutPage(runs: readonly TextRun[]): PageLayout {
  const turns = [0, 1, 2, 3] as const;
  const frames = turns
    .map((turn) => ({ turn, runs: runs.filter((run) => run.turn === turn) }))
    .filter((frame) => frame.runs.length > 0)
    .toSorted((one, other) => charsOf(other.runs) - charsOf(one.runs));
  const lines: PlacedLine[] = [];
  let text = '';
  for (const frame of frames) {
    if (text !== '') text += '\n\n';
    text = addFrame(lines, frame, text);
  }
  return { text, lines };
}

function addFrame(
  lines: PlacedLine[],
  { turn, runs }: { readonly turn: TextRun['turn']; readonly runs: readonly TextRun[] },
  before: string,
): string {
  const rows = readingOrder(segmentsOf(runs), { em: usualSize(runs), rtl: isRightToLeft(runs) });
  const leading = usualLeading(rows);
  let text = before;
  const drawn = rows.map((row) => ({ row, text: rowText(row) }));
  for (const [at, line] of drawn.entries()) {
    const next = drawn[at + 1];
    const separator = next === undefined ? '' : lineSeparator(line, next.row, leading);
    const isCut = separator === '\n' && line.text.endsWith(SOFT_HYPHEN) && /^\p{L}/u.test(next?.text ?? '');
    const words = (isCut ? line.text.slice(0, -1) : line.text).replaceAll(SOFT_HYPHEN, '-');
    lines.push({ start: text.length, end: text.length + words.length, turn, row: line.row });
    text += words + (isCut ? '' : separator);
  }
  return text;
}

/** At the end of a line it cuts a word; elsewhere it is drawn like any other hyphen. */
const SOFT_HYPHEN = '\u00AD';

function charsOf(runs: readonly TextRun[]): number {
  return runs.reduce((sum, { text }) => sum + text.length, 0);
}

/** The median font size by number of characters. */
function usualSize(runs: readonly TextRun[]): number {
  const half = charsOf(runs) / 2;
  let chars = 0;
  for (const { size, text } of runs.toSorted((one, other) => one.size - other.size)) {
    chars += text.length;
    if (chars >= half) return size;
  }
  return 1;
}

/** A distance between two lines above this multiple of the usual one ends a paragraph. */
const PARAGRAPH = 1.35;
/** Distances outside these multiples of the font size are not line spacing. */
const LEAST = 0.8;
const MOST = 2.5;
const USUAL = 1.2;

const SENTENCE_END = /[.?!:。？！]["'”’»)\]」』）]*$/u;

/** The usual distance between the baselines of a page's lines, in multiples of their font size. */
function usualLeading(rows: readonly Row[]): number {
  const distances: number[] = [];
  for (const [at, row] of rows.entries()) {
    const next = rows[at + 1];
    if (next === undefined) break;
    const distance = (next.v - row.v) / Math.max(row.size, next.size);
    if (distance >= LEAST && distance <= MOST) distances.push(distance);
  }
  distances.sort((one, other) => one - other);
  return distances[Math.floor(distances.length / 2)] ?? USUAL;
}

/**
 * The separator between two consecutive lines in reading order: a line feed, or a blank line at the end of a paragraph. After the last line
 * of a column, a paragraph ends if a sentence does.
 */
function lineSeparator(last: { readonly row: Row; readonly text: string }, row: Row, leading: number): '\n' | '\n\n' {
  const size = Math.max(last.row.size, row.size);
  const distance = row.v - last.row.v;
  if (distance < 0.3 * size) return SENTENCE_END.test(last.text) ? '\n\n' : '\n';
  return distance > PARAGRAPH * leading * size ? '\n\n' : '\n';
}

/** Properties of the page for {@link readingOrder}. */
interface OrderOptions {
  /** The usual font size, in points. */
  readonly em: number;
  /** Whether columns are read from right to left. */
  readonly rtl: boolean;
}

/** A column of text consists of pieces of at least this length, in multiples of the font size; shorter ones are cells or labels. */
const MIN_COLUMN = 6;
/** In a table this share of the rows are aligned with one of the other side. */
const ALIGNED = 0.75;
const MAX_DEPTH = 6;

/**
 * Sorts the lines of a page in reading order: column by column, and across if a line crosses the gap between columns, like a title. Rows of
 * tables and lists stay whole.
 */
function readingOrder(segments: readonly Segment[], options: OrderOptions, depth = 0): readonly Row[] {
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

/** The bands of a strip from top to bottom, alternating between segments that cross the gap and columns. */
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

/** Whether two sides are a table: its cells are on the same lines, and those of one side are short. */
function isTableLike(left: readonly Segment[], right: readonly Segment[], em: number): boolean {
  if (Math.min(usualLength(left), usualLength(right)) >= MIN_COLUMN * em) return false;
  const [few, many] = [rowsOf(left), rowsOf(right)].toSorted((one, other) => one.length - other.length);
  if (few === undefined || many === undefined || few.length < 2) return false;
  const aligned = few.filter(({ v }) => many.some((row) => Math.abs(row.v - v) <= 2));
  return aligned.length >= ALIGNED * few.length;
}

/** The length above which pieces contain half of the text. */
function usualLength(segments: readonly Segment[]): number {
  const lengths = segments.map(({ u0, u1 }) => u1 - u0).toSorted((one, other) => other - one);
  const half = lengths.reduce((sum, length) => sum + length, 0) / 2;
  let sum = 0;
  return lengths.find((length) => (sum += length) >= half) ?? 0;
}

/** A gap wider than this multiple of the font size is a space; between ideographs, which are often spaced out, a wider one. */
const SPACE = 0.15;
const WIDE_SPACE = 0.45;
/** Identical text at this distance, in multiples of the font size, was drawn twice to look bold. */
const SAME_PLACE = 0.12;
/** A piece that overlaps the previous text by this multiple of the font size is set over it. */
const OVERLAP = 0.1;

const IDEOGRAPH_END = /[\u3000-\u30FF\u3400-\u9FFF\uF900-\uFAFF\uFF00-\uFFEF]$/;
const IDEOGRAPH_START = /^[\u3000-\u30FF\u3400-\u9FFF\uF900-\uFAFF\uFF00-\uFFEF]/;

/** The text of a row in logical order, with spaces inserted at gaps. */
function rowText(row: Row): string {
  const runs = row.segments.flatMap((segment) => segment.runs);
  const [only] = runs;
  if (only !== undefined && runs.length === 1) return only.text.trim();
  const base = isRightToLeft(runs);
  let text = '';
  let last: TextRun | undefined;
  for (const run of inReadingOrder(withoutDoubles(runs), base)) {
    const joined = last !== undefined && overlaps(last, run) ? withAccent(text, run.text) : undefined;
    text = joined ?? text + (last !== undefined && isSpaced(last, run) ? ' ' : '') + run.text;
    last = run;
  }
  return text.trim();
}

/** Whether most characters are in right-to-left pieces. */
function isRightToLeft(runs: readonly TextRun[]): boolean {
  let balance = 0;
  for (const { rtl, text } of runs) balance += rtl ? text.length : -text.length;
  return balance > 0;
}

function withoutDoubles(runs: readonly TextRun[]): readonly TextRun[] {
  const visibleRuns: TextRun[] = [];
  for (const run of runs.toSorted((one, other) => one.u0 - other.u0 || one.order - other.order)) {
    const last = visibleRuns.at(-1);
    if (last === undefined || last.text !== run.text || run.u0 - last.u0 > SAME_PLACE * run.size) visibleRuns.push(run);
  }
  return visibleRuns;
}

/** Sorts pieces from the side where the row begins; adjacent pieces of the other direction keep their own order. */
function inReadingOrder(runs: readonly TextRun[], base: boolean): readonly TextRun[] {
  if (!base && !runs.some(({ rtl }) => rtl)) return runs;
  const ordered: TextRun[] = [];
  let foreign: TextRun[] = [];
  for (const run of base ? runs.toReversed() : runs) {
    if (run.rtl === base) {
      ordered.push(...foreign, run);
      foreign = [];
    } else foreign.unshift(run);
  }
  return [...ordered, ...foreign];
}

/** Whether a piece overlaps the previous one: old typesetting sets an accent over its letter by stepping back. */
function overlaps(last: TextRun, run: TextRun): boolean {
  return run.u0 >= last.u0 && last.u1 - run.u0 > OVERLAP * Math.min(last.size, run.size);
}

function isSpaced(last: TextRun, run: TextRun): boolean {
  if (/\s$/.test(last.text) || /^\s/.test(run.text)) return false;
  const gap = run.u0 >= last.u0 ? run.u0 - last.u1 : last.u0 - run.u1;
  const size = Math.min(last.size, run.size);
  const between = run.order === last.order + 1 ? run : last.order === run.order + 1 ? last : undefined;
  if (between?.afterBlank === true) return true;
  const isWide = IDEOGRAPH_END.test(last.text) && IDEOGRAPH_START.test(run.text);
  return gap > (isWide ? WIDE_SPACE : SPACE) * size;
}

/** Combining accents by their spacing forms. */
const COMBINING: Readonly<Record<string, string>> = {
  '\u0060': '\u0300',
  '\u00B4': '\u0301',
  '\u02C6': '\u0302',
  '\u02DC': '\u0303',
  '\u00AF': '\u0304',
  '\u02D8': '\u0306',
  '\u02D9': '\u0307',
  '\u00A8': '\u0308',
  '\u02DA': '\u030A',
  '\u02DD': '\u030B',
  '\u02C7': '\u030C',
  '\u00B8': '\u0327',
  '\u02DB': '\u0328',
};
const DOTTED: Readonly<Record<string, string>> = { ı: 'i', ȷ: 'j' };

/**
 * Joins an accent and its letter, one set over the other, into one character, as in "naïve" written with a dotless i. Undefined if there is
 * no such character.
 */
function withAccent(before: string, behind: string): string | undefined {
  const [end, start] = [before.slice(-1), behind.slice(0, 1)];
  const letter = accented(start, end) ?? accented(end, start);
  return letter === undefined ? undefined : before.slice(0, -1) + letter + behind.slice(1);
}

function accented(letter: string, accent: string): string | undefined {
  const mark = COMBINING[accent];
  if (mark === undefined || !/\p{L}/u.test(letter)) return undefined;
  const composed = ((DOTTED[letter] ?? letter) + mark).normalize('NFC');
  return composed.length === 1 ? composed : undefined;
}
