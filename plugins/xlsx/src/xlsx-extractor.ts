import { openArchive } from '@kebab/formats-kit';
import {
  DocumentBuilder,
  firstChars,
  invalidInput,
  markdownExtractor,
  type Extractor,
  type ExtractWarning,
} from '@kebab/plugin';

/** The maximum over all sheets; the rest is reported in a warning. */
const MAX_ROWS = 50_000;
const MAX_CELL = 10_000;
const MAX_COLUMNS = 500;
const WANTED = /\.(?:xml|rels)$/i;

/**
 * Creates the extractor `xlsx`: the rows of every sheet with the column names, cited as `#sheet=Q3&row=17` with the number that Excel
 * shows. The first non-empty row has the names. For a formula the saved value is used.
 */
export function createXlsxExtractor(): Extractor {
  return markdownExtractor({
    id: 'xlsx',
    extensions: ['xlsx', 'xlsm'],
    toMarkdown: async (bytes) => {
      const archive = await openArchive(bytes, (name) => WANTED.test(name));
      if (archive.bytes('xl/workbook.xml') === undefined) throw invalidInput('the file is not an Excel workbook');
      const document = new DocumentBuilder();
      const warnings: ExtractWarning[] = [];
      let count = 0;
      for (const { sheet, data } of await sheetsOf(archive.repacked())) {
        let columns: readonly string[] | null = null;
        for (const [at, row] of data.entries()) {
          const cells = row.slice(0, MAX_COLUMNS).map((cell) => firstChars(textOf(cell), MAX_CELL));
          if (cells.every((cell) => cell.trim() === '') || ++count > MAX_ROWS) continue;
          document.at({ sheet, row: at + 1 });
          if (columns === null) document.heading(2, sheet);
          document.row(columns ?? [], cells);
          columns ??= cells;
        }
      }
      if (count > MAX_ROWS) warnings.push({ kind: 'malformed_table', note: `${MAX_ROWS} of ${count} rows were read` });
      return document.build({ warnings });
    },
  });
}

interface Sheet {
  readonly sheet: string;
  readonly data: readonly (readonly unknown[])[];
}

async function sheetsOf(bytes: Uint8Array): Promise<readonly Sheet[]> {
  const { default: readExcelFile } = await import('read-excel-file/node');
  try {
    return await readExcelFile(Buffer.from(bytes));
  } catch (error) {
    throw invalidInput(`the workbook cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** A cell as displayed; dates without a time of day are days. */
function textOf(cell: unknown): string {
  if (cell instanceof Date)
    return cell
      .toISOString()
      .replace(/T00:00:00\.000Z$/, '')
      .replace(/\.000Z$/, '');
  return typeof cell === 'string' || typeof cell === 'number' || typeof cell === 'boolean' ? String(cell) : '';
}
