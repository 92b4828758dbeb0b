import { readingOrder } from './reading-order.ts';
import { isRightToLeft, rowText } from './row-text.ts';
import type { Row } from './rows.ts';
import { segmentsOf } from './segments.ts';
import type { PageLayout, PlacedLine, TextRun } from './text-run.ts';

/**
 * Puts the pieces of a page in reading order: lines as they stand, a blank line where the distance between two of them
 * says that a paragraph ends. Text in another direction than most of the page follows behind.
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
  let last: { readonly row: Row; readonly text: string } | undefined;
  for (const row of rows) {
    const words = rowText(row);
    if (last !== undefined) text += lineSeparator(last, row, leading);
    lines.push({ start: text.length, end: text.length + words.length, turn, row });
    text += words;
    last = { row, text: words };
  }
  return text;
}

function charsOf(runs: readonly TextRun[]): number {
  return runs.reduce((sum, { text }) => sum + text.length, 0);
}

/** The size in which half of the characters, or more, are set: the median. */
function usualSize(runs: readonly TextRun[]): number {
  const half = charsOf(runs) / 2;
  let chars = 0;
  for (const { size, text } of runs.toSorted((one, other) => one.size - other.size)) {
    chars += text.length;
    if (chars >= half) return size;
  }
  return 1;
}

/** A distance between two lines beyond this multiple of the usual one ends a paragraph. */
const PARAGRAPH = 1.35;
/** Distances outside these multiples of the font size say nothing of how lines follow each other. */
const LEAST = 0.8;
const MOST = 2.5;
const USUAL = 1.2;

const SENTENCE_END = /[.?!:。？！]["'”’»)\]」』）]*$/u;

/** The usual distance between the baselines of a page's lines, in parts of their font size. */
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
 * What stands between two lines that follow each other in reading order: a line feed, or a blank line where a paragraph
 * ends. Behind the last line of a column it ends when a sentence does.
 */
function lineSeparator(last: { readonly row: Row; readonly text: string }, row: Row, leading: number): '\n' | '\n\n' {
  const size = Math.max(last.row.size, row.size);
  const distance = row.v - last.row.v;
  if (distance < 0.3 * size) return SENTENCE_END.test(last.text) ? '\n\n' : '\n';
  return distance > PARAGRAPH * leading * size ? '\n\n' : '\n';
}
