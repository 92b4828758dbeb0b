import { type Row, rowsOf } from './rows.ts';
import type { Segment } from './segments.ts';

/** Properties of the page that {@link rowsInOrder} considers. */
export interface PageStyle {
  /** The usual font size, in points. */
  readonly em: number;
  /** Whether columns are read from right to left. */
  readonly rtl: boolean;
}

/** Lines below each other, of which each has one neighbour above and below. */
type Stack = readonly Segment[];

/** A page with more pieces is a drawing; its lines are read from top to bottom. */
const MAX_SEGMENTS = 5000;

/**
 * The lines of text without a gap between columns that it has as a whole, from top to bottom: blocks of few lines next to each other, such
 * as the addresses of a letter, are read one after the other, and rows of a table, or labels and their values, across.
 */
export function rowsInOrder(segments: readonly Segment[], style: PageStyle): readonly Row[] {
  const groups = segments.length > MAX_SEGMENTS ? [] : groupsOf(stacksOf(segments), segments, style.em);
  const blocks = groups.filter((columns) => !isTable(columns, style.em));
  if (blocks.length === 0) return rowsOf(segments);
  const inBlocks = new Map<Segment, number>();
  for (const [at, columns] of blocks.entries()) for (const segment of columns.flat()) inBlocks.set(segment, at);
  const others = rowsOf(segments.filter((segment) => !inBlocks.has(segment)));
  const { alone, beside } = besideBlocks(others, blocks);
  const parts = [
    ...alone.map((row) => ({ v: row.v, rows: [row] })),
    ...blocks.map((columns, at) => {
      const whole = withSegments(columns, beside.get(at) ?? []);
      const rows = (style.rtl ? whole.toReversed() : whole).flatMap((column) => rowsOf(column));
      return { v: Math.min(...columns.flat().map(({ v }) => v)), rows };
    }),
  ];
  return parts.toSorted((one, other) => one.v - other.v).flatMap(({ rows }) => rows);
}

/** Lines at least and at most this far apart, in multiples of their font size, are a block; */
const MIN_LEADING = 0.9;
const MAX_LEADING = 1.9;
/** and at most this multiple of the least distance of their block. */
const UNEVEN = 1.35;
/** Lines of which one is this many times as large are not one block. */
const MAX_RATIO = 1.7;

/** The stacks of at least two lines. */
function stacksOf(segments: readonly Segment[]): readonly Stack[] {
  const sorted = segments.toSorted((one, other) => one.v - other.v);
  const above = new Map<Segment, Segment[]>();
  const below = new Map<Segment, Segment[]>();
  for (const [at, segment] of sorted.entries()) {
    let line: number | undefined;
    for (let before = at - 1; before >= 0; before--) {
      const other = sorted[before];
      if (other === undefined || segment.v - other.v > MAX_LEADING * Math.max(segment.size, other.size, 1)) break;
      if (segment.v - other.v < MIN_LEADING * Math.min(segment.size, other.size)) continue;
      if (line !== undefined && line - other.v > 0.3 * segment.size) break;
      if (other.u0 >= segment.u1 || segment.u0 >= other.u1) continue;
      line ??= other.v;
      push(above, segment, other);
      push(below, other, segment);
    }
  }
  const next = (segment: Segment): Segment | undefined => {
    const [follower, ...others] = below.get(segment) ?? [];
    if (follower === undefined || others.length > 0 || above.get(follower)?.length !== 1) return undefined;
    const [small, large] = [segment.size, follower.size].toSorted((one, other) => one - other);
    return (large ?? 0) > MAX_RATIO * (small ?? 0) ? undefined : follower;
  };
  const followers = new Map(sorted.map((segment) => [segment, next(segment)]));
  const continued = new Set(followers.values());
  return sorted
    .filter((segment) => !continued.has(segment))
    .flatMap((first) => {
      const stack: Segment[] = [];
      for (let one: Segment | undefined = first; one !== undefined; one = followers.get(one)) stack.push(one);
      return dividedAtGaps(stack);
    })
    .filter((stack) => stack.length > 1);
}

function push(lists: Map<Segment, Segment[]>, key: Segment, value: Segment): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

/** Divides a stack where its lines are further apart than others of it: between paragraphs, or the rows of a table. */
function dividedAtGaps(stack: Stack): readonly Stack[] {
  const steps = stack.slice(1).map((segment, at) => segment.v - (stack[at]?.v ?? 0));
  const least = Math.min(...steps);
  return dividedWhere(stack, (at) => (steps[at - 1] ?? 0) > UNEVEN * least);
}

function dividedWhere(stack: Stack, isCut: (at: number) => boolean): readonly Stack[] {
  const parts: Segment[][] = [];
  for (const [at, segment] of stack.entries())
    if (at === 0 || isCut(at)) parts.push([segment]);
    else parts.at(-1)?.push(segment);
  return parts;
}

/** The columns of a group, from left to right; each has the lines of its stacks. */
type Group = readonly (readonly Segment[])[];

/** Blocks side by side are at least this far apart, in multiples of the font size, */
const MIN_GAP = 0.8;
/** and their longest lines at least this long. */
const MIN_LENGTH = 2.5;
/** Text that is drawn row by row leaves a column after fewer lines than this, on average. */
const MIN_CHUNK = 1.5;

/**
 * The groups of stacks that are next to each other for at least two lines. Stacks that are drawn in several goes, as in a table of cells with
 * several lines, are divided there.
 */
function groupsOf(stacks: readonly Stack[], segments: readonly Segment[], em: number): readonly Group[] {
  const positions = new Map<Segment, number>(
    segments.toSorted((one, other) => orderOf(one) - orderOf(other)).map((segment, at) => [segment, at]),
  );
  const divided = connected(stacks, em).flatMap((group) => {
    const lines = group.reduce((sum, { length }) => sum + length, 0);
    const parts = group.map((stack) =>
      dividedWhere(stack, (at) => {
        const [one = 0, other = 0] = [stack[at - 1], stack[at]].map((segment) => segment && positions.get(segment));
        return Math.abs(other - one) !== 1;
      }),
    );
    const chunks = parts.flat();
    return lines / chunks.length < MIN_CHUNK ? group : chunks.filter(({ length }) => length > 1);
  });
  return connected(divided, em).map(columnsOf);
}

/** The position of a segment in the page's stream. */
function orderOf({ runs }: Segment): number {
  return runs[0]?.order ?? 0;
}

/** The stacks that have others next to them, with these. */
function connected(stacks: readonly Stack[], em: number): readonly (readonly Stack[])[] {
  const wide = stacks.filter((stack) => stack.some(({ u0, u1 }) => u1 - u0 >= MIN_LENGTH * em));
  const groups: Stack[][] = [];
  for (const stack of wide) {
    const near = groups.filter((group) => group.some((other) => isBeside(stack, other, em)));
    for (const group of near) groups.splice(groups.indexOf(group), 1);
    groups.push([...near.flat(), stack]);
  }
  return groups.filter((group) => group.filter(hasWords).length > 1);
}

const WORD = /\p{L}{3}|[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]{2}/u;

/** Whether at least two lines have words, and are not parts of a formula or the scale of a chart. */
function hasWords(stack: Stack): boolean {
  const texts = stack.map(({ runs }) => runs.map(({ text }) => text).join(''));
  return texts.filter((text) => WORD.test(text) && !/\p{Sm}/u.test(text)).length > 1;
}

function isBeside(one: Stack, other: Stack, em: number): boolean {
  const [a, b] = [extentOf(one), extentOf(other)];
  if (b.u0 - a.u1 < MIN_GAP * em && a.u0 - b.u1 < MIN_GAP * em) return false;
  const within = (stack: Stack, { top, bottom }: Extent): number =>
    stack.filter(({ v }) => v > top - 0.5 * em && v < bottom + 0.5 * em).length;
  return within(one, b) > 1 && within(other, a) > 1;
}

interface Extent {
  readonly u0: number;
  readonly u1: number;
  /** The first and the last baseline. */
  readonly top: number;
  readonly bottom: number;
}

function extentOf(stack: Stack): Extent {
  let [u0, u1] = [Infinity, -Infinity];
  for (const segment of stack) {
    u0 = Math.min(u0, segment.u0);
    u1 = Math.max(u1, segment.u1);
  }
  return { u0, u1, top: stack[0]?.v ?? 0, bottom: stack.at(-1)?.v ?? 0 };
}

/** Stacks above each other are one column. */
function columnsOf(stacks: readonly Stack[]): Group {
  const columns: { u0: number; u1: number; readonly segments: Segment[] }[] = [];
  for (const stack of stacks.toSorted((one, other) => extentOf(one).u0 - extentOf(other).u0)) {
    const { u0, u1 } = extentOf(stack);
    const column = columns.at(-1);
    if (column === undefined || u0 >= column.u1) columns.push({ u0, u1, segments: [...stack] });
    else {
      column.segments.push(...stack);
      column.u1 = Math.max(column.u1, u1);
    }
  }
  return columns.map(({ segments }) => segments);
}

/** The rows outside all blocks, without their pieces that are on a line of a block; and these, by block. */
function besideBlocks(
  rows: readonly Row[],
  blocks: readonly Group[],
): { readonly alone: readonly Row[]; readonly beside: ReadonlyMap<number, readonly Segment[]> } {
  const extents = blocks.map((columns) => {
    const all = columns.flat().toSorted((one, other) => one.v - other.v);
    return { top: all[0]?.top ?? 0, bottom: all.at(-1)?.bottom ?? 0 };
  });
  const beside = new Map<number, Segment[]>();
  const alone = rows.filter(({ v, segments }) => {
    const at = extents.findIndex(({ top, bottom }) => v > top && v < bottom);
    if (at !== -1) beside.set(at, [...(beside.get(at) ?? []), ...segments]);
    return at === -1;
  });
  return { alone, beside };
}

/** Adds pieces on the lines of a group: to the column to their right, as labels of it, and those at its end as a column of their own. */
function withSegments(columns: Group, segments: readonly Segment[]): Group {
  const whole = columns.map((column) => ({ u0: extentOf(column).u0, segments: [...column] }));
  const rest: Segment[] = [];
  for (const segment of segments) {
    const column = whole.find(({ u0 }) => segment.u0 < u0);
    (column?.segments ?? rest).push(segment);
  }
  return [...whole.map((column) => column.segments), ...(rest.length === 0 ? [] : [rest])];
}

/** In a table this share of the lines of the shorter column are on those of the other. */
const ALIGNED = 0.75;

/**
 * Whether columns are a table, or labels and their values, so that a line is read across. Sentences that go on from line to line are not;
 * otherwise it is one if it is drawn row by row, if its cells are of one kind in each column but not in each row, or if one side is labels.
 */
export function isTable(columns: Group, em: number): boolean {
  const rows = columns.map((column) => rowsOf(column));
  if (!rows.slice(1).every((column, at) => areAligned(rows[at] ?? [], column))) return false;
  const cells = rows.map((column) => column.map(textOf));
  const [labels = []] = cells;
  if (shareOf(labels, isLabel) > 0.6) return true;
  const prose = cells.filter((texts, at) => isProse(texts, rows[at] ?? [], em));
  if (isDrawnByRow(rows)) return prose.length < cells.length || !prose.every((texts) => texts.some(endsSentence));
  return prose.length === 0 && hasColumnsOfOneKind(cells);
}

function areAligned(one: readonly Row[], other: readonly Row[]): boolean {
  const [few, many] = one.length < other.length ? [one, other] : [other, one];
  const aligned = few.filter(({ v }) => many.some((row) => Math.abs(row.v - v) <= 2));
  return aligned.length >= ALIGNED * few.length;
}

function textOf({ segments }: Row): string {
  return segments
    .flatMap(({ runs }) => runs.map(({ text }) => text))
    .join(' ')
    .trim();
}

function shareOf(texts: readonly string[], matches: (text: string) => boolean): number {
  return texts.length === 0 ? 0 : texts.filter(matches).length / texts.length;
}

/** A label ends with a colon or leaders, or is the number or bullet of an item. */
function isLabel(text: string): boolean {
  return /[:：]$|\.{4,}$|…$|^[^\p{L}\p{N}]{1,2}$|^[([]?[\p{L}\p{N}]{1,3}[.)\]]$/u.test(text);
}

function endsSentence(text: string): boolean {
  return /[.?!。？！…]["'”’»)\]」』）]*$/u.test(text);
}

/** Sentences have a line of at least this length, in multiples of the font size. */
const MIN_SENTENCE = 8;

/** Whether lines are parts of sentences: they go on in small letters, or fill their column in a script without such letters. */
function isProse(texts: readonly string[], rows: readonly Row[], em: number): boolean {
  const lengths = rows.map(({ u0, u1 }) => u1 - u0);
  const longest = Math.max(...lengths);
  if (longest < MIN_SENTENCE * em || /^\p{Ll}/u.test(texts[0] ?? '')) return false;
  const breaks = texts.slice(1).filter((text, at) => {
    const before = texts[at] ?? '';
    if (endsSentence(before)) return false;
    if (/\p{L}[-\u2010\u00AD]$/u.test(before)) return true;
    const isFull = (lengths[at] ?? 0) > 0.85 * longest;
    return /^\p{Ll}/u.test(text) || (isFull && /^\p{Lo}/u.test(text) && texts.some(endsSentence));
  });
  return breaks.length > 0 && breaks.length >= 0.3 * (texts.length - 1);
}

/** Whether the stream of the page leaves a column after one line, more often than not. */
function isDrawnByRow(columns: readonly (readonly Row[])[]): boolean {
  const lines = columns.reduce((sum, rows) => sum + rows.length, 0);
  const segments = columns.map((rows) => rows.flatMap((row) => row.segments));
  return lines / chunksOf(segments).length < MIN_CHUNK;
}

/** What the stream of the page draws of columns before it goes to another. */
function chunksOf(columns: Group): readonly { readonly column: number; readonly segments: readonly Segment[] }[] {
  const pieces = columns
    .flatMap((segments, column) => segments.map((segment) => ({ segment, column })))
    .toSorted((one, other) => orderOf(one.segment) - orderOf(other.segment));
  const chunks: { readonly column: number; readonly segments: Segment[] }[] = [];
  for (const { segment, column } of pieces) {
    const last = chunks.at(-1);
    if (last?.column === column) last.segments.push(segment);
    else chunks.push({ column, segments: [segment] });
  }
  return chunks;
}

/**
 * The rows of a table whose cells have several lines, each as columns, by the order in which they are drawn: what is below everything drawn
 * before it begins a row. Other columns are one row.
 */
export function tableRowsOf(columns: Group, em: number): readonly Group[] {
  const chunks = chunksOf(columns);
  const rows: Segment[][][] = [];
  const lines = columns.reduce((sum, segments) => sum + rowsOf(segments).length, 0);
  let bottom = -Infinity;
  for (const { column, segments } of lines / chunks.length < MIN_CHUNK ? [] : chunks) {
    if (Math.min(...segments.map(({ v }) => v)) > bottom + 0.5 * em) rows.push(columns.map(() => []));
    rows.at(-1)?.[column]?.push(...segments);
    bottom = Math.max(bottom, ...segments.map(({ v }) => v));
  }
  return rows.length === 0 ? [columns] : rows;
}

/** A number, amount, date or time, with at most a unit. */
const FIGURE = /^(?=.*\p{N})[^\p{L}]*\p{L}{0,3}[^\p{L}]*$|^\p{N}{1,2}\.? \p{L}{3,10}\.? \p{N}{4}$/u;
const QUANTITY = /^\p{N}\S*(?: \p{L}+)?$/u;
/** Groups of cards rarely have this many columns and lines without a number. */
const MIN_TABLE = { columns: 3, lines: 4 };

function hasColumnsOfOneKind(cells: readonly (readonly string[])[]): boolean {
  const count = Math.max(...cells.map(({ length }) => length));
  // The first line may be a header.
  const bodies = cells.map((texts) => (count > 2 && !FIGURE.test(texts[0] ?? '') ? texts.slice(1) : texts));
  if (differ(bodies, FIGURE) || differ(count > 3 ? bodies : cells, QUANTITY)) return true;
  if (cells.some(({ length }) => length !== count)) return false;
  if (cells.every((texts) => texts.every((text) => wordsOf(text) === 1))) return true;
  const [first = [], ...values] = cells;
  if (cells.every((texts) => texts.every(isPlain))) {
    if (first.every((text) => wordsOf(text) === 1)) return true;
    if (cells.length < MIN_TABLE.columns) return false;
    return count >= MIN_TABLE.lines || bodies.every((texts) => new Set(texts.map(wordsOf)).size === 1);
  }
  return first.every(isPlain) && values.every((texts) => texts.some((text) => FIGURE.test(text)));
}

function isPlain(text: string): boolean {
  return !/\p{N}/u.test(text);
}

/** Whether almost all cells of one column, but hardly any of another, are of a kind. */
function differ(columns: readonly (readonly string[])[], kind: RegExp): boolean {
  const shares = columns.map((texts) => shareOf(texts, (text) => kind.test(text)));
  return shares.some((share) => share > 0.7) && shares.some((share) => share < 0.3);
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** The number of words; a long word counts as several, because some scripts have no spaces. */
function wordsOf(text: string): number {
  return text
    .split(/\s+/)
    .map((word) => Math.ceil(word.length / (UNSPACED.test(word) ? 4 : 16)))
    .reduce((sum, words) => sum + words, 0);
}
