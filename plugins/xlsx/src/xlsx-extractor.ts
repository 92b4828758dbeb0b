import {
  childAt,
  childrenOf,
  isData,
  localName,
  mainPart,
  openArchive,
  parseXml,
  readXml,
  relationId,
  relationshipsOf,
  tablesIn,
  type Archive,
  type SheetTable,
} from '@kebab/formats-kit';
import {
  DocumentBuilder,
  firstChars,
  invalidInput,
  markdownExtractor,
  type Extractor,
  type ExtractWarning,
} from '@kebab/plugin';
import { cellFormats, type WorkbookStyles } from './cell-format.ts';
import { commentsOn } from './read-comments.ts';
import { drawingsOn } from './read-drawings.ts';
import { readSheet, unescapedText, type SheetRow } from './read-sheet.ts';

/** The maximum over all sheets; the rest is reported in a warning. */
const MAX_ROWS = 50_000;
/** More than a cell of Excel can have. */
const MAX_CELL = 100_000;
const MAX_COLUMNS = 500;
const WANTED = /\.(?:xml|rels)$/i;

/**
 * Creates the extractor `xlsx`: the rows of every sheet with the column names, cited as `#sheet=Q3&row=17` with the number that Excel
 * shows. Values are as displayed; for a formula the saved value is used.
 */
export function createXlsxExtractor(): Extractor {
  return markdownExtractor({
    id: 'xlsx',
    version: '8',
    extensions: ['xlsx', 'xlsm'],
    toMarkdown: async (bytes) => {
      const archive = await openArchive(bytes, (name) => WANTED.test(name));
      const workbook = await readWorkbook(archive);
      const context = {
        strings: await readStrings(archive, workbook.strings),
        formats: await cellFormats(await readStyles(archive, workbook)),
        maxColumns: MAX_COLUMNS,
      };
      const document = new DocumentBuilder();
      const notes: string[] = [];
      let count = 0;
      for (const one of workbook.sheets) {
        const { name, part } = one;
        if (archive.bytes(part) === undefined) {
          notes.push(
            `sheet ${name} was not read: its part ${archive.damaged.includes(part) ? 'is damaged' : 'is missing'}`,
          );
          continue;
        }
        const { rows, unsaved, beyond } = await readSheet(archive.text(part), context);
        if (unsaved > 0) notes.push(`sheet ${name} has formulas whose results are not saved in the file: ${unsaved}`);
        if (beyond > 0)
          notes.push(`sheet ${name} has cells beyond column ${MAX_COLUMNS}, which were not read: ${beyond}`);
        const sheet = new SheetWriter(document, one, tablesIn(rows));
        const comments = (await commentsOn(archive, part)).map(({ cell, row, author, text }) => {
          const words = `Comment on ${cell}${author === '' ? '' : ` by ${author}`}: ${text}`;
          return { row, write: () => sheet.at(row).quote(words) };
        });
        const drawings = (await drawingsOn(archive, part)).map(({ row, text }) => ({
          row,
          write: () => sheet.at(row).paragraph(text),
        }));
        // In the order of the rows, since the citation of a passage names its first and its last.
        const texts = [...comments, ...drawings].toSorted((a, b) => a.row - b.row);
        const writeTexts = (before: number): void => {
          while ((texts[0]?.row ?? before) < before) texts.shift()?.write();
        };
        for (const row of rows) {
          const { number, cells } = row;
          writeTexts(number);
          if (cells.every((cell) => cell.trim() === '') || ++count > MAX_ROWS) continue;
          if (cells.some((cell) => cell.length > MAX_CELL))
            notes.push(`row ${number} of sheet ${name} has a cell of more than ${MAX_CELL} characters, which was cut`);
          sheet.row({ ...row, cells: cells.map((cell) => firstChars(cell, MAX_CELL)) });
        }
        writeTexts(Number.POSITIVE_INFINITY);
      }
      if (count > MAX_ROWS) notes.push(`${MAX_ROWS} of ${count} rows were read`);
      return document.build({ warnings: notes.map((note): ExtractWarning => ({ kind: 'extract_failed', note })) });
    },
  });
}

/** Writes the rows and comments of a sheet below its name. */
class SheetWriter {
  readonly #document: DocumentBuilder;
  readonly #sheet: string;
  readonly #heading: string;
  /** Those that begin below. */
  readonly #tables: SheetTable[];
  /** The number of the row with the names of columns. */
  #head = 0;
  #columns: readonly string[] = [];
  /** The row before, unless it is below that with the names. */
  #above: SheetRow | null = null;
  #isBegun = false;

  constructor(document: DocumentBuilder, { name, isHidden }: Sheet, tables: readonly SheetTable[]) {
    this.#document = document;
    this.#sheet = name;
    this.#heading = isHidden ? `${name} (hidden)` : name;
    this.#tables = [...tables];
  }

  row(row: SheetRow): void {
    if (row.number === this.#tables[0]?.first) {
      this.#head = this.#tables.shift()?.head ?? 0;
      [this.#columns, this.#above] = [[], null];
    }
    const above = this.#above;
    const isHead = row.number === this.#head || (above?.number === this.#head && isSecondHead(above, row));
    this.at(row.number).row(isHead ? [] : this.#columns, row.cells);
    if (isHead) this.#columns = above === null ? row.names : namesBelow(above, row);
    if (isHead && above !== null && isTitle(above)) this.#head = row.number;
    this.#above = row.number <= this.#head ? row : null;
  }

  /** The document at a row. */
  at(row: number): DocumentBuilder {
    this.#document.at({ sheet: this.#sheet, row });
    if (!this.#isBegun) this.#document.heading(2, this.#heading);
    this.#isBegun = true;
    return this.#document;
  }
}

/** Whether a row has the names of the columns that cells of the row above are merged over, and no others. */
function isSecondHead(above: SheetRow, { number, cells }: SheetRow): boolean {
  const isMerged = cells.map((_, at) => isRepeated(above, at) || isRepeated(above, at + 1));
  return (
    number === above.number + 1 &&
    isMerged.includes(true) &&
    cells.every((cell, at) => (isMerged[at] === true ? !isData(cell) : cell === '' || cell === above.cells[at]))
  );
}

function isRepeated({ cells, names }: SheetRow, column: number): boolean {
  return (names[column] ?? '') !== (cells[column] ?? '');
}

/** The names of columns with those of the row above that are merged over several of them: `Q1 Plan`, `Q1 Actual`. */
function namesBelow(above: SheetRow, { number, names }: SheetRow): readonly string[] {
  if (number !== above.number + 1 || isTitle(above) || !above.names.some((_, at) => isRepeated(above, at)))
    return names;
  const longest = above.names.length > names.length ? above.names : names;
  return longest.map((_, at) => [...new Set([above.names[at] ?? '', names[at] ?? ''])].join(' ').trim());
}

function isTitle({ names }: SheetRow): boolean {
  return new Set(names.filter((name) => name !== '')).size === 1;
}

interface Sheet {
  readonly name: string;
  readonly part: string;
  readonly isHidden: boolean;
}

interface Workbook {
  readonly sheets: readonly Sheet[];
  readonly is1904: boolean;
  /** The parts with shared strings and with styles; empty if there are none. */
  readonly strings: string;
  readonly styles: string;
}

async function readWorkbook(archive: Archive): Promise<Workbook> {
  const part = await mainPart(archive, 'xl/workbook.xml');
  const workbook = childAt(await parseXml(archive.text(part)), 'workbook');
  if (workbook === undefined) throw invalidInput('the file is not an Excel workbook');
  const parts = await relationshipsOf(archive, part);
  const sheets = childrenOf(childAt(workbook, 'sheets') ?? workbook, 'sheet').map((sheet) => {
    const { name = '', state = 'visible' } = sheet.attributes;
    const target = parts.find(({ id }) => id === relationId(sheet));
    return { name, part: target?.target ?? '', isHidden: state !== 'visible' };
  });
  const partOf = (type: string): string => parts.find((other) => other.type === type)?.target ?? '';
  const { date1904 = '0' } = childAt(workbook, 'workbookPr')?.attributes ?? {};
  return {
    sheets,
    is1904: date1904 === '1' || date1904 === 'true',
    strings: partOf('sharedStrings'),
    styles: partOf('styles'),
  };
}

/** The shared strings of a workbook, without how they are read aloud. */
async function readStrings(archive: Archive, part: string): Promise<readonly string[]> {
  const strings: string[] = [];
  let [text, isText, isPhonetic] = ['', false, false];
  await readXml(archive.text(part), {
    onOpen: (prefixed) => {
      const name = localName(prefixed);
      if (name === 'si') text = '';
      else if (name === 'rPh') isPhonetic = true;
      else if (name === 't') isText = !isPhonetic;
    },
    onText: (words) => (text += isText ? words : ''),
    onClose: (prefixed) => {
      const name = localName(prefixed);
      if (name === 't') isText = false;
      else if (name === 'rPh') isPhonetic = false;
      else if (name === 'si') strings.push(unescapedText(text));
    },
  });
  return strings;
}

async function readStyles(archive: Archive, { styles, is1904 }: Workbook): Promise<WorkbookStyles> {
  const root = childAt(await parseXml(archive.text(styles)), 'styleSheet');
  const of = (list: string, name: string) =>
    childrenOf(root ?? { name: '', attributes: {}, children: [] }, list).flatMap((one) => childrenOf(one, name));
  return {
    formats: of('cellXfs', 'xf').map(({ attributes }) => Number(attributes['numFmtId'] ?? 0)),
    patterns: new Map(
      of('numFmts', 'numFmt').map(({ attributes }) => [
        Number(attributes['numFmtId']),
        attributes['formatCode'] ?? 'General',
      ]),
    ),
    is1904,
  };
}
