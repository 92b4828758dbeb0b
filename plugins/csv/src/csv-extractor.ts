import { tablesIn } from '@kebab/formats-kit';
import {
  decodeText,
  DocumentBuilder,
  firstChars,
  markdownExtractor,
  throwIfCancelled,
  type ExtractWarning,
  type Extractor,
} from '@kebab/plugin';
import { findDelimiter } from './find-delimiter.ts';
import { readRows, type TableRow } from './read-rows.ts';

/** The maximum number of rows; the rest is reported in a warning. */
const MAX_ROWS = 50_000;
/** The maximum length of a cell; longer ones are data, not words. */
const MAX_CELL = 100_000;
const MAX_COLUMNS = 500;

/** A first line by which a spreadsheet program names the delimiter; it shows it as no row. */
const DELIMITER_LINE = /^"?sep=([^\n"])"?[^\S\n]*(?:\n|$)/i;

/** Creates the extractor `csv`: a block of text for each row, with the names of its columns, cited as `#row=17`. */
export function createCsvExtractor(): Extractor {
  return markdownExtractor({
    id: 'csv',
    version: '7',
    extensions: ['csv', 'tsv'],
    toMarkdown: async (bytes, { path, signal }) => {
      const { text, warnings: decoded } = await decodeText(bytes);
      const line = DELIMITER_LINE.exec(text);
      const table = text.slice(line?.[0].length ?? 0);
      const notes = new RowNotes();
      const document = new DocumentBuilder();
      const isTabbed = path.toLowerCase().endsWith('.tsv') && table.includes('\t');
      const delimiter = line?.[1] ?? (isTabbed ? '\t' : findDelimiter(table));
      const rows: (TableRow & { readonly number: number })[] = [];
      for (const row of readRows(table, delimiter)) {
        const number = rows.push({ ...row, number: rows.length + 1 });
        if (number % 1000 === 0) throwIfCancelled(signal, `reading ${path}`);
        if (number === MAX_ROWS) break;
      }
      const isCut = (rows.at(-1)?.end ?? 0) < table.length;
      const last = { kind: 'extract_failed', note: `row ${MAX_ROWS} is the last that was read` } as const;
      const tables = [...tablesIn(rows)];
      let columns: readonly string[] = [];
      let head: number | null = null;
      for (const { number, ...row } of rows) {
        if (number % 1000 === 0) throwIfCancelled(signal, `reading ${path}`);
        if (number === tables[0]?.first) [head, columns] = [tables.shift()?.head ?? null, []];
        const cells = row.cells.slice(0, MAX_COLUMNS).map((cell) => firstChars(cell, MAX_CELL));
        if (row.hasStrayQuote) notes.add(STRAY_QUOTE, number);
        if (cells.length < row.cells.length)
          notes.add(`more than ${MAX_COLUMNS} cells; the others were not read`, number);
        if (row.cells.some((cell) => cell.length > MAX_CELL))
          notes.add(`a cell of more than ${MAX_CELL} characters, which was cut`, number);
        if (cells.every((cell) => cell.trim() === '')) continue;
        document.at({ row: number }).row(columns, cells);
        if (number === head) columns = cells;
      }
      return document.build({ warnings: [...decoded, ...notes.warnings(), ...(isCut ? [last] : [])] });
    },
  });
}

const STRAY_QUOTE = 'a quotation mark that encloses no cell; it is read as a character';

/** What was found in rows: a note for each kind, with the first row and the number of others. */
class RowNotes {
  readonly #rows = new Map<string, { readonly first: number; count: number }>();

  add(note: string, row: number): void {
    const known = this.#rows.get(note);
    if (known === undefined) this.#rows.set(note, { first: row, count: 1 });
    else known.count++;
  }

  warnings(): readonly ExtractWarning[] {
    return [...this.#rows].map(([note, { first, count }]): ExtractWarning => ({
      kind: note === STRAY_QUOTE ? 'malformed_table' : 'extract_failed',
      note: `row ${first} ${count === 1 ? 'has' : `and ${count - 1} more have`} ${note}`,
    }));
  }
}
