/** A row of a table. */
export interface TableRow {
  readonly cells: readonly string[];
  /** Whether each cell was enclosed in quotation marks; the others are as they are in the file. */
  readonly enclosed: readonly boolean[];
  /** Whether a quotation mark begins a cell without enclosing it, so that it is read as a character. */
  readonly hasStrayQuote: boolean;
  /** The offset after its line end. */
  readonly end: number;
}

/**
 * Reads the rows of a table (RFC 4180). A cell in quotation marks, which blanks may surround, may have delimiters and line ends, and
 * quotation marks written twice. A mark that is never closed, or closed in the middle of its cell, is a character like others, so that such a cell ends with its line. Lines
 * end with LF. Takes linear time.
 */
export function* readRows(text: string, delimiter: string): Generator<TableRow, void, undefined> {
  let columns = 0;
  for (let start = 0; start < text.length;) {
    const row = rowAt(text, start, { delimiter, columns });
    if (columns === 0 && row.cells.some((cell) => cell.trim() !== '')) columns = row.cells.length;
    yield row;
    start = row.end;
  }
}

/** Longer rows are not read in another way; that takes time quadratic in their cells. */
const MAX_REREAD = 4000;

interface Table {
  readonly delimiter: string;
  /** The number of columns of the first row; 0 before it. */
  readonly columns: number;
}

/** Finds the mark that closes the one at `start`; null if that one encloses no cell. */
type Closing = (
  text: string,
  start: number,
  delimiter: string,
) => { readonly mark: number; readonly end: number } | null;

function rowAt(text: string, start: number, table: Table): TableRow {
  const { delimiter, columns } = table;
  const row = cellsAt(text, start, { delimiter, closing: closingMark });
  if (endOfLine(text, start) + 1 < row.end && areRows(text.slice(start, row.end - 1), row.cells.length, table))
    return cellsAt(text, start, { delimiter, closing: () => null });
  if (!row.hasStrayQuote || row.cells.length === columns || row.end - start > MAX_REREAD) return row;
  for (const isLast of [false, true]) {
    const closing: Closing = (...cell) => closingMark(...cell) ?? markInLine(cell[0], cell[1], { delimiter, isLast });
    const other = cellsAt(text, start, { delimiter, closing });
    if (other.cells.length === columns) return other;
  }
  return row;
}

function cellsAt(
  text: string,
  start: number,
  { delimiter, closing }: { readonly delimiter: string; readonly closing: Closing },
): TableRow {
  const [cells, enclosed]: [string[], boolean[]] = [[], []];
  let hasStrayQuote = false;
  for (let at = start; ;) {
    const mark = afterBlanks(text, at, delimiter);
    const isQuote = text[mark] === '"';
    const close = isQuote ? closing(text, mark, delimiter) : null;
    if (isQuote && close === null && mark === at) hasStrayQuote = true;
    const end = close?.end ?? endOfCell(text, at, delimiter);
    cells.push(close === null ? text.slice(at, end) : text.slice(mark + 1, close.mark).replaceAll('""', '"'));
    enclosed.push(close !== null);
    if (text[end] !== delimiter) return { cells, enclosed, hasStrayQuote, end: end + 1 };
    at = end + 1;
  }
}

/** By the standard; a mark after a backslash is a character too, as some databases write it. */
const closingMark: Closing = (text, start, delimiter) => {
  for (let mark = text.indexOf('"', start + 1); mark >= 0; mark = text.indexOf('"', mark + 1)) {
    if (text[mark + 1] === '"') mark++;
    else {
      const end = endOfEnclosed(text, mark, delimiter);
      if (end !== null) return { mark, end };
      if (text[mark - 1] !== '\\') return null;
    }
  }
  return null;
};

/** The first or last mark of the line that ends a cell, where those inside are not written twice: `"he said "no", twice"`. */
function markInLine(
  text: string,
  start: number,
  { delimiter, isLast }: { readonly delimiter: string; readonly isLast: boolean },
): ReturnType<Closing> {
  const limit = endOfLine(text, start);
  const next = (mark: number): number => (isLast ? text.lastIndexOf('"', mark - 1) : text.indexOf('"', mark + 1));
  for (let mark = next(isLast ? limit : start); mark > start && mark < limit; mark = next(mark)) {
    const end = endOfEnclosed(text, mark, delimiter);
    if (end !== null) return { mark, end };
  }
  return null;
}

/** The end of an enclosed cell whose last mark this is, after blanks; null if more follows. */
function endOfEnclosed(text: string, mark: number, delimiter: string): number | null {
  const end = afterBlanks(text, mark + 1, delimiter);
  return end >= text.length || text[end] === delimiter || text[end] === '\n' ? end : null;
}

function afterBlanks(text: string, start: number, delimiter: string): number {
  let at = start;
  if (delimiter !== ' ') while (text[at] === ' ') at++;
  return at;
}

function endOfCell(text: string, start: number, delimiter: string): number {
  let end = start;
  while (end < text.length && text[end] !== delimiter && text[end] !== '\n') end++;
  return end;
}

function endOfLine(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end < 0 ? text.length : end;
}

/** The number of delimiters that have to agree by chance in a cell of several lines, until they are taken for rows instead. */
const MIN_AGREEING = 4;

/**
 * Whether lines that a pair of quotation marks joins are rows of their own: the joined row would not have the columns of the table but each line
 * has; or so many lines have them that it is no accident; or the pair are ditto marks.
 */
function areRows(text: string, joined: number, { delimiter, columns }: Table): boolean {
  if (columns < 2) return false;
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const isEach = lines.every((line) => line.split(delimiter).length === columns);
  return (
    isEach && (joined !== columns || (lines.length - 1) * (columns - 1) >= MIN_AGREEING || hasDitto(text, delimiter))
  );
}

function hasDitto(text: string, delimiter: string): boolean {
  const alone = text.split('\n').filter((line) => line.split(delimiter).some((cell) => cell.trim() === '"'));
  return alone.length > 1;
}
