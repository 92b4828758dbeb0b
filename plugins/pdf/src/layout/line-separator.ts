import type { Row } from './rows.ts';

/** A distance between two lines beyond this multiple of the usual one ends a paragraph. */
const PARAGRAPH = 1.35;
/** Distances outside these multiples of the font size say nothing of how lines follow each other. */
const LEAST = 0.8;
const MOST = 2.5;
const USUAL = 1.2;

const SENTENCE_END = /[.?!:。？！]["'”’»)\]」』）]*$/u;

/** The usual distance between the baselines of a page's lines, in parts of their font size. */
export function usualLeading(rows: readonly Row[]): number {
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
export function lineSeparator(
  last: { readonly row: Row; readonly text: string },
  row: Row,
  leading: number,
): '\n' | '\n\n' {
  const size = Math.max(last.row.size, row.size);
  const distance = row.v - last.row.v;
  if (distance < 0.3 * size) return SENTENCE_END.test(last.text) ? '\n\n' : '\n';
  return distance > PARAGRAPH * leading * size ? '\n\n' : '\n';
}
