import {
  decodeText,
  DocumentBuilder,
  firstChars,
  markdownExtractor,
  throwIfCancelled,
  type ExtractWarning,
  type Extractor,
} from '@kebab/plugin';
import type Papa from 'papaparse';

/** The maximum number of rows; the rest is reported in a warning. */
const MAX_ROWS = 50_000;
/** The maximum length of a cell; longer ones are data, not words. */
const MAX_CELL = 10_000;
const MAX_COLUMNS = 500;
const SAMPLED_ROWS = 10;
const SAMPLED_CHARACTERS = 65_536;

/** Creates the extractor `csv`: a block of text for each row, with the column names, cited as `#row=17`; row 1 has the names. */
export function createCsvExtractor(): Extractor {
  return markdownExtractor({
    id: 'csv',
    version: '2',
    extensions: ['csv', 'tsv'],
    toMarkdown: async (bytes, { path, signal }) => {
      const { default: Papa } = await import('papaparse');
      const { text, warnings: decoded } = decodeText(bytes);
      const warnings: ExtractWarning[] = [...decoded];
      const document = new DocumentBuilder();
      let columns: readonly string[] | null = null;
      let number = 0;
      Papa.parse<string[]>(text, {
        delimiter: path.toLowerCase().endsWith('.tsv') ? '\t' : delimiterOf(text, Papa),
        step: ({ data, errors }, parser) => {
          number++;
          if (number % 1000 === 0) throwIfCancelled(signal, `reading ${path}`);
          const note = noteOf(data, errors);
          if (note !== null && warnings.length < 100)
            warnings.push({ kind: 'malformed_table', note: `row ${number} ${note}` });
          const cells = data.slice(0, MAX_COLUMNS).map((cell) => firstChars(cell, MAX_CELL));
          if (cells.every((cell) => cell.trim() === '')) return;
          columns ??= cells;
          document.at({ row: number }).row(columns === cells ? [] : columns, cells);
          if (number < MAX_ROWS) return;
          warnings.push({ kind: 'malformed_table', note: `row ${MAX_ROWS} is the last that was read` });
          parser.abort();
        },
      });
      return document.build({ warnings });
    },
  });
}

/** Skips empty lines: the line end after the last row would count as a row of one column, and hide that a table has two columns. */
function delimiterOf(text: string, { parse }: Pick<typeof Papa, 'parse'>): string {
  return parse(text.slice(0, SAMPLED_CHARACTERS), { preview: SAMPLED_ROWS, skipEmptyLines: true }).meta.delimiter;
}

/** A short note on parts of a row that were not read completely; null if there are none. */
function noteOf(
  cells: readonly string[],
  errors: readonly { readonly type: string; readonly message: string }[],
): string | null {
  const wrong = errors.find(({ type }) => type === 'Quotes');
  if (wrong !== undefined) return `is not well formed: ${wrong.message}`;
  if (cells.length > MAX_COLUMNS) return `has ${cells.length} cells, of which ${MAX_COLUMNS} were read`;
  return cells.some((cell) => cell.length > MAX_CELL)
    ? `has a cell of more than ${MAX_CELL} characters, which was cut`
    : null;
}
