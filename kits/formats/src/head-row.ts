/** How many rows of a table {@link headRow} looks at; titles and notes above one are seldom longer. */
export const HEAD_ROWS = 20;

/**
 * Which of the first rows of a table, from 0, has the names of its columns: the first one with cells, unless that begins a title or notes above
 * the table. These fill at most half of its columns, or an empty row divides them from it; the row with the names fills all columns with
 * words, and rows of data follow: with numbers, if there are two columns. -1 if no row has cells.
 */
export function headRow(rows: readonly (readonly string[])[]): number {
  const filled = rows.map((cells) => cells.flatMap((cell, column) => (cell.trim() === '' ? [] : [column])));
  const first = filled.findIndex((columns) => columns.length > 0);
  const width = Math.max(0, ...filled.map((columns) => columns.length));
  const head = filled.findIndex((columns) => columns.length === width);
  if (first < 0 || head <= first || rows[head]?.some((cell) => isData(cell)) === true) return first;
  const above = filled.slice(first, head);
  const widest = Math.max(...above.map((columns) => columns.length));
  const isWide = width > 2 || rows[head + 1]?.some((cell) => isData(cell)) === true;
  const isApart = (isWide && widest <= width / 2) || above.at(-1)?.length === 0;
  const isLeft = (filled[first]?.[0] ?? 0) <= (filled[head]?.[0] ?? 0);
  return isApart && isLeft && (filled[head + 1]?.length ?? 0) > widest ? head : first;
}

/** Whether a cell is a number, an amount or a date; a year may be the name of a column. */
export function isData(cell: string): boolean {
  return /\d/.test(cell) && /^[-+()\d.,:/\s%$€£¥₩]+$/.test(cell) && !/^\s*(?:19|20)\d\d\s*$/.test(cell);
}
