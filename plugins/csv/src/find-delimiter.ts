import { readRows, type TableRow } from './read-rows.ts';

/** Of equal ones the first: a comma is a character of words and numbers too. */
const CANDIDATES = ['\t', '|', ';', ','] as const;
const SAMPLED_ROWS = 50;
const SAMPLED_CHARACTERS = 65_536;
/** The weight of a delimiter that stands only where prose or a number has such a character. */
const PROSE_WEIGHT = 0.3;

/**
 * Finds the delimiter of a table: the one that splits the most rows, most evenly, into pieces that look like cells. A comma if none splits
 * the rows.
 */
export function findDelimiter(text: string, candidates: readonly string[] = CANDIDATES): string {
  const sample = text.slice(0, SAMPLED_CHARACTERS);
  let best: { readonly delimiter: string; readonly score: number; readonly pieces: number } | undefined;
  for (const delimiter of candidates) {
    const rows: TableRow[] = [];
    for (const row of readRows(sample, delimiter)) {
      if (row.cells.some((cell) => cell.trim() !== '')) rows.push(row);
      if (rows.length === SAMPLED_ROWS) break;
    }
    const score = scoreOf(rows, delimiter, candidates);
    const pieces = rows.reduce((sum, { cells }) => sum + cells.length, 0);
    if (score > (best?.score ?? 0) || (score > 0 && score === best?.score && pieces > best.pieces))
      best = { delimiter, score, pieces };
  }
  return best?.delimiter ?? ',';
}

function scoreOf(rows: readonly TableRow[], delimiter: string, candidates: readonly string[]): number {
  const split = rows.filter(({ cells }) => cells.length > 1);
  if (split.length === 0) return 0;
  const counts = new Map<number, number>();
  for (const { cells } of split) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
  const near = [...counts.keys()].map((count) =>
    [-1, 0, 1].reduce((sum, by) => sum + (counts.get(count + by) ?? 0), 0),
  );
  const even = (Math.max(...counts.values()) + Math.max(...near)) / 2 / split.length;
  const others = candidates.filter((other) => other !== delimiter);
  const isProse = split.every((row) => !hasCellEnd(row, delimiter));
  const pieces = split.flatMap(({ cells, enclosed }) => cells.filter((_, at) => enclosed[at] !== true));
  const whole = pieces.filter((piece) => !others.some((other) => isSplitBy(piece, other)));
  const share = pieces.length === 0 ? 1 : whole.length / pieces.length;
  return (split.length / rows.length) * (0.5 + even / 2) * (isProse ? PROSE_WEIGHT : 1) * Math.max(0.1, share);
}

/** Whether a delimiter in a row is not one of a sentence (`a, b`) or a number (`1,5`). */
function hasCellEnd({ cells, enclosed }: TableRow, delimiter: string): boolean {
  return cells.some((cell, at) => {
    const next = cells[at + 1];
    if (next === undefined) return false;
    if (enclosed[at] === true || enclosed[at + 1] === true) return true;
    return !isDecimal(cell, delimiter, next) && (cell.endsWith(' ') || !next.startsWith(' ') || next.trim() === '');
  });
}

function isDecimal(before: string, delimiter: string, after: string): boolean {
  return delimiter === ',' && /\d$/.test(before) && /^\d/.test(after);
}

/** Whether a piece has another delimiter that is not one of a sentence or a number. */
function isSplitBy(piece: string, delimiter: string): boolean {
  const parts = piece.split(delimiter);
  return parts.some(
    (part, at) => at > 0 && !part.startsWith(' ') && part !== '' && !isDecimal(parts[at - 1] ?? '', delimiter, part),
  );
}
