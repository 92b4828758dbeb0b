import {
  decodeText,
  DocumentBuilder,
  firstChars,
  markdownExtractor,
  throwIfCancelled,
  type ExtractWarning,
  type Extractor,
} from '@kebab/plugin';
import { readRows, type TableRow } from './read-rows.ts';

/** The maximum number of rows; the rest is reported in a warning. */
const MAX_ROWS = 50_000;
/** The maximum length of a cell; longer ones are data, not words. */
const MAX_CELL = 100_000;
const MAX_COLUMNS = 500;

/** A first line by which a spreadsheet program names the delimiter; it shows it as no row. */
const DELIMITER_LINE = /^"?sep=([^\n"])"?[^\S\n]*(?:\n|$)/i;

/** Creates the extractor `csv`: a block of text for each row, with the column names, cited as `#row=17`; row 1 has the names. */
export function createCsvExtractor(): Extractor {
  return markdownExtractor({
    id: 'csv',
    version: '4',
    extensions: ['csv', 'tsv'],
    toMarkdown: async (bytes, { path, signal }) => {
      const { text, warnings: decoded } = await decodeText(bytes);
      const line = DELIMITER_LINE.exec(text);
      const table = text.slice(line?.[0].length ?? 0);
      const notes = new RowNotes();
      const document = new DocumentBuilder();
      let columns: readonly string[] | null = null;
      let number = 0;
      for (const row of readRows(table, line?.[1] ?? delimiterOf(table, path))) {
        number++;
        if (number % 1000 === 0) throwIfCancelled(signal, `reading ${path}`);
        const cells = row.cells.slice(0, MAX_COLUMNS).map((cell) => firstChars(cell, MAX_CELL));
        if (row.hasStrayQuote) notes.add(STRAY_QUOTE, number);
        if (cells.length < row.cells.length)
          notes.add(`more than ${MAX_COLUMNS} cells; the others were not read`, number);
        if (row.cells.some((cell) => cell.length > MAX_CELL))
          notes.add(`a cell of more than ${MAX_CELL} characters, which was cut`, number);
        if (cells.every((cell) => cell.trim() === '')) continue;
        columns ??= cells;
        document.at({ row: number }).row(columns === cells ? [] : columns, cells);
        if (number < MAX_ROWS) continue;
        if (row.end < table.length) notes.end(`row ${MAX_ROWS} is the last that was read`);
        break;
      }
      return document.build({ warnings: [...decoded, ...notes.warnings()] });
    },
  });
}

function delimiterOf(table: string, path: string): string {
  const isTabbed = path.toLowerCase().endsWith('.tsv') && table.includes('\t');
  return isTabbed ? '\t' : findDelimiter(table);
}

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
function findDelimiter(text: string): string {
  const sample = text.slice(0, SAMPLED_CHARACTERS);
  let best: { readonly delimiter: string; readonly score: number; readonly pieces: number } | undefined;
  for (const delimiter of CANDIDATES) {
    const rows: TableRow[] = [];
    for (const row of readRows(sample, delimiter)) {
      if (row.cells.some((cell) => cell.trim() !== '')) rows.push(row);
      if (rows.length === SAMPLED_ROWS) break;
    }
    const score = scoreOf(rows, delimiter);
    const pieces = rows.reduce((sum, { cells }) => sum + cells.length, 0);
    if (score > (best?.score ?? 0) || (score > 0 && score === best?.score && pieces > best.pieces))
      best = { delimiter, score, pieces };
  }
  return best?.delimiter ?? ',';
}

function scoreOf(rows: readonly TableRow[], delimiter: string): number {
  const split = rows.filter(({ cells }) => cells.length > 1);
  if (split.length === 0) return 0;
  const counts = new Map<number, number>();
  for (const { cells } of split) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
  const near = [...counts.keys()].map((count) =>
    [-1, 0, 1].reduce((sum, by) => sum + (counts.get(count + by) ?? 0), 0),
  );
  const even = (Math.max(...counts.values()) + Math.max(...near)) / 2 / split.length;
  const others = CANDIDATES.filter((other) => other !== delimiter);
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

const STRAY_QUOTE = 'a quotation mark that encloses no cell; it is read as a character';

/** What was found in rows: a note for each kind, with the first row and the number of others. */
class RowNotes {
  readonly #rows = new Map<string, { readonly first: number; count: number }>();
  readonly #last: string[] = [];

  add(note: string, row: number): void {
    const known = this.#rows.get(note);
    if (known === undefined) this.#rows.set(note, { first: row, count: 1 });
    else known.count++;
  }

  end(note: string): void {
    this.#last.push(note);
  }

  warnings(): readonly ExtractWarning[] {
    const warnings = [...this.#rows].map(([note, { first, count }]): ExtractWarning => ({
      kind: note === STRAY_QUOTE ? 'malformed_table' : 'extract_failed',
      note: `row ${first} ${count === 1 ? 'has' : `and ${count - 1} more have`} ${note}`,
    }));
    return [...warnings, ...this.#last.map((note): ExtractWarning => ({ kind: 'extract_failed', note }))];
  }
}
