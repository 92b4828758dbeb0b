import stringWidth from 'fast-string-width';
import { printable, type MarkedText } from '@kebab/core/app';

/** A displayed character with the match that it belongs to. */
interface Cell {
  readonly text: string;
  readonly columns: number;
  /** The match; null outside of matches. */
  readonly of: string | null;
}

/** How a text is laid out. */
export interface MarkedLayout {
  /** The width of a row in columns. */
  readonly columns: number;
  /** The maximum number of rows; of a longer text, the part with the most matches is shown. */
  readonly maxRows: number;
  /** Highlights a match. */
  readonly mark: (text: string) => string;
}

const TAB = '    ';
const MAX_CUT_WORD = 24;
const ELLIPSIS: Cell = { text: '…', columns: 1, of: null };

/** Wraps a text into rows with its matches highlighted; rows are broken at spaces if possible. */
export function markedRows(text: MarkedText, { columns, maxRows, mark }: MarkedLayout): readonly string[] {
  const width = Math.max(4, columns);
  const cells = cellsOf(text);
  const whole = brokenRows(cells, width);
  if (whole.length <= maxRows) return whole.map((row) => painted(row, mark));
  const lostAtBreaks = Math.ceil(width / 8) * (maxRows - 1);
  const rows = brokenRows(windowOf(cells, width * maxRows - lostAtBreaks), width);
  if (rows.length <= maxRows) return rows.map((row) => painted(row, mark));
  const shownRows = rows.slice(0, maxRows);
  const last = shownRows.at(-1) ?? [];
  shownRows[maxRows - 1] = [...(widthOf(last) < width ? last : last.slice(0, -1)), ELLIPSIS];
  return shownRows.map((row) => painted(row, mark));
}

/** A text without its first characters, with the remaining matches. */
export function markedFrom({ text, matches }: MarkedText, start: number): MarkedText {
  return {
    text: text.slice(start),
    matches: matches
      .filter(({ end }) => end > start)
      .map((match) => ({ ...match, start: Math.max(0, match.start - start), end: match.end - start })),
  };
}

function cellsOf({ text, matches }: MarkedText): readonly Cell[] {
  const cells: Cell[] = [];
  let at = 0;
  for (const { segment, index } of new Intl.Segmenter().segment(text.trimEnd())) {
    while ((matches[at]?.end ?? Infinity) <= index) at++;
    const match = matches[at];
    const of = match !== undefined && match.start <= index ? match.of : null;
    const seen = segment === '\t' ? TAB : printable(segment);
    cells.push({ text: seen, columns: stringWidth(seen), of });
  }
  return cells;
}

function widthOf(cells: readonly Cell[]): number {
  return cells.reduce((sum, { columns }) => sum + columns, 0);
}

/** The part of a long text, at most `room` columns wide, with the most matches; it begins some words before them. */
function windowOf(cells: readonly Cell[], room: number): readonly Cell[] {
  const matchesFrom = (from: number): number =>
    new Set(cut(cells.slice(from), room - 2).flatMap(({ of }) => of ?? [])).size;
  let best = { from: 0, matches: matchesFrom(0) };
  for (const [at, { of }] of cells.entries()) {
    if (of === null || cells[at - 1]?.of === of) continue;
    const from = startBefore(cells, at, Math.floor(room / 4));
    const matches = matchesFrom(from);
    if (matches > best.matches) best = { from, matches };
  }
  const rest = cells.slice(best.from);
  const part = wholeWords(cut(rest, room - 2), rest);
  return [...(best.from > 0 ? [ELLIPSIS] : []), ...part, ...(part.length < rest.length ? [ELLIPSIS] : [])];
}

/** Drops a partial word at either end, unless it is a long one. */
function wholeWords(part: readonly Cell[], all: readonly Cell[]): readonly Cell[] {
  if (part.length === all.length || all[part.length]?.text === ' ') return part;
  const space = part.findLastIndex(({ text }) => text === ' ');
  return space >= part.length - MAX_CUT_WORD ? part.slice(0, space) : part;
}

/** The start from which a match is at most `lead` columns away, at the beginning of a word if there is one. */
function startBefore(cells: readonly Cell[], at: number, lead: number): number {
  let from = at;
  for (let room = lead; from > 0 && room >= (cells[from - 1]?.columns ?? 0); from--)
    room -= cells[from - 1]?.columns ?? 0;
  if (from === 0) return 0;
  const space = cells.slice(from, at).findIndex(({ text }) => text === ' ');
  return space === -1 ? from : from + space + 1;
}

/** The first cells that fit into the given columns. */
function cut(cells: readonly Cell[], columns: number): readonly Cell[] {
  let width = 0;
  const end = cells.findIndex((cell) => (width += cell.columns) > columns);
  return end === -1 ? cells : cells.slice(0, end);
}

function brokenRows(cells: readonly Cell[], columns: number): (readonly Cell[])[] {
  const rows: (readonly Cell[])[] = [];
  let rest = cells;
  while (rest.length > 0) {
    const fitting = cut(rest, columns);
    if (fitting.length === rest.length) return [...rows, rest];
    const isBreak = rest[fitting.length]?.text === ' ';
    const space = isBreak ? fitting.length : fitting.findLastIndex(({ text }) => text === ' ');
    const hasWords = fitting.slice(0, space).some(({ text }) => text.trim() !== '');
    const end = space > 0 && hasWords ? space : Math.max(1, fitting.length);
    rows.push(rest.slice(0, end));
    rest = rest.slice(rest[end]?.text === ' ' ? end + 1 : end);
  }
  return rows;
}

/** Highlights whole matches, not single characters. */
function painted(cells: readonly Cell[], mark: (text: string) => string): string {
  let row = '';
  let matched = '';
  for (const { text, of } of [...cells, { text: '', of: null }]) {
    if (of !== null) matched += text;
    else {
      row += (matched === '' ? '' : mark(matched)) + text;
      matched = '';
    }
  }
  return row;
}
