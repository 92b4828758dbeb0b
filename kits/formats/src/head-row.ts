/** How many rows of a table are compared; titles and notes above one are seldom longer. */
const HEAD_ROWS = 20;

/** A row of a sheet by its number; rows without cells may be left out. */
export interface NumberedRow {
  readonly number: number;
  readonly cells: readonly string[];
}

/** A table of a sheet, which ends where the next one begins. */
export interface SheetTable {
  /** The number of its first row. */
  readonly first: number;
  /** The number of the row with the names of its columns; null if it has none. */
  readonly head: number | null;
}

/**
 * The tables of a sheet from the top. A further one begins behind an empty row with names of its own: below a title, behind several empty
 * rows, in columns that the table above does not have or with one of its names, or over other columns of numbers.
 */
export function tablesIn(rows: readonly NumberedRow[]): readonly SheetTable[] {
  const filled = rows.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  const starts = filled.flatMap((_, at) => (isBehindGap(filled, at) ? [at] : []));
  const head = headRow(filled.slice(0, HEAD_ROWS));
  const tables: SheetTable[] = [{ first: filled[0]?.number ?? 1, head: filled[head]?.number ?? null }];
  let from = Math.max(0, head);
  for (const [at, start] of starts.entries()) {
    if (start <= from) continue;
    const above = filled.slice(from, Math.min(start, from + HEAD_ROWS));
    const next = filled.slice(start, Math.min(starts[at + 1] ?? filled.length, start + HEAD_ROWS));
    const names = headRow(next);
    const [number = 0, before = 0] = [next[0]?.number, filled[start - 1]?.number];
    const below = next.slice(names);
    if (names < 0 || !isOtherTable(above, below, names > 0 || number - before > 2)) continue;
    tables.push({ first: number, head: below[0]?.number ?? null });
    from = start + names;
  }
  return tables;
}

function isBehindGap(rows: readonly NumberedRow[], at: number): boolean {
  return (rows[at]?.number ?? 0) > (rows[at - 1]?.number ?? Number.POSITIVE_INFINITY) + 1;
}

/** Whether rows begin with names of columns that are not those of the table above. */
function isOtherTable(above: readonly NumberedRow[], below: readonly NumberedRow[], isApart: boolean): boolean {
  const [[head, ...data], [names, ...rows]] = [above, below];
  if (head === undefined || names === undefined || rows.length === 0) return false;
  const words = names.cells.flatMap((cell, column) => (cell.trim() === '' ? [] : [{ cell, column }]));
  if (words.length < 2 || words.some(({ cell }) => isData(cell))) return false;
  const isNew = words.some(
    ({ cell, column }) =>
      head.cells[column]?.trim() === cell.trim() || above.every((row) => (row.cells[column]?.trim() ?? '') === ''),
  );
  return isApart || isNew || String(numbersIn(data)) !== String(numbersIn(rows));
}

/** The columns that have numbers, and nothing else. */
function numbersIn(rows: readonly NumberedRow[]): readonly number[] {
  const columns = [...new Set(rows.flatMap(({ cells }) => [...cells.keys()]))].toSorted((a, b) => a - b);
  return columns.filter((column) => {
    const cells = rows.map((row) => row.cells[column]?.trim() ?? '').filter((cell) => cell !== '');
    return cells.length > 0 && cells.every((cell) => isData(cell));
  });
}

/**
 * Which of the first rows of a table, from 0, has the names of its columns: the first one, unless that begins a title or notes above the
 * table. These fill at most half of its columns, or an empty row divides them from it; the row with the names fills all columns with words,
 * and rows of data follow: with numbers, if there are two columns. -1 if there are no rows, and if the first one has data like those below.
 */
function headRow(rows: readonly NumberedRow[]): number {
  const filled = rows.map(({ cells }) => cells.flatMap((cell, column) => (cell.trim() === '' ? [] : [column])));
  const width = Math.max(0, ...filled.map((columns) => columns.length));
  const head = filled.findIndex((columns) => columns.length === width);
  const gap = rows.findIndex((_, at) => isBehindGap(rows, at));
  const [row, ...others] = rows.slice(0, gap < 0 ? undefined : gap);
  const numbers = numbersIn(others).map((column) => row?.cells[column] ?? '');
  if (row === undefined || isOfData(row.cells, numbers)) return -1;
  const isTable = others.length > 1 && numbers.some((cell) => cell !== '' && !isData(cell));
  if (isTable || head === 0 || rows[head]?.cells.some((cell) => isData(cell)) === true) return 0;
  const widest = Math.max(...filled.slice(0, head).map((columns) => columns.length));
  const isWide = width > 2 || rows[head + 1]?.cells.some((cell) => isData(cell)) === true;
  const isApart = (isWide && widest <= width / 2) || isBehindGap(rows, head);
  const isLeft = (filled[0]?.[0] ?? 0) <= (filled[head]?.[0] ?? 0);
  return isApart && isLeft && (filled[head + 1]?.length ?? 0) > widest ? head : 0;
}

/** Whether a row has numbers where those below have some. Ascending ones beside words are names, such as those of months. */
function isOfData(row: readonly string[], cells: readonly string[]): boolean {
  const numbers = cells.filter((cell) => isData(cell));
  const isCount = numbers.every((one, at) => /^\d+$/.test(one) && Number(one) > Number(numbers[at - 1] ?? -1));
  return numbers.length > 0 && !(isCount && numbers.length > 1 && numbers.length < row.length);
}

/** Whether a cell is a number, an amount or a date; a year may be the name of a column. */
export function isData(cell: string): boolean {
  return /\d/.test(cell) && /^[-+()\d.,:/\s%$€£¥₩]+$/.test(cell) && !/^\s*(?:19|20)\d\d\s*$/.test(cell);
}
