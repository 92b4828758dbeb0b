import {
  childAt,
  childrenOf,
  localName,
  mainPart,
  openArchive,
  parseXml,
  readXml,
  relationId,
  relationshipsOf,
  type Archive,
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
import { readSheet, unescapedText } from './read-sheet.ts';
import { commentsOn, drawingsOn } from './texts-over-cells.ts';

/** The maximum over all sheets; the rest is reported in a warning. */
const MAX_ROWS = 50_000;
/** More than a cell of Excel can have. */
const MAX_CELL = 100_000;
const MAX_COLUMNS = 500;
const WANTED = /\.(?:xml|rels)$/i;

/**
 * Creates the extractor `xlsx`: the rows of every sheet with the column names, cited as `#sheet=Q3&row=17` with the number that Excel
 * shows. The first non-empty row has the names. Values are as displayed; for a formula the saved value is used.
 */
export function createXlsxExtractor(): Extractor {
  return markdownExtractor({
    id: 'xlsx',
    version: '5',
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
      for (const { name, part, isHidden } of workbook.sheets) {
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
        const sheet = new SheetWriter(document, name, isHidden);
        const comments = [...(await commentsOn(archive, part))];
        const writeComments = (before: number): void => {
          while (comments[0] !== undefined && comments[0].row < before) {
            const { cell, row, author, text } = comments.shift() ?? comments[0];
            sheet.comment(row, `Comment on ${cell}${author === '' ? '' : ` by ${author}`}: ${text}`);
          }
        };
        for (const { number, cells } of rows) {
          writeComments(number);
          if (cells.every((cell) => cell.trim() === '') || ++count > MAX_ROWS) continue;
          if (cells.some((cell) => cell.length > MAX_CELL))
            notes.push(`row ${number} of sheet ${name} has a cell of more than ${MAX_CELL} characters, which was cut`);
          sheet.row(
            number,
            cells.map((cell) => firstChars(cell, MAX_CELL)),
          );
        }
        writeComments(Number.POSITIVE_INFINITY);
        for (const { row, text } of await drawingsOn(archive, part)) sheet.drawn(row, text);
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
  #columns: readonly string[] | null = null;
  #isBegun = false;

  constructor(document: DocumentBuilder, sheet: string, isHidden: boolean) {
    this.#document = document;
    this.#sheet = sheet;
    this.#heading = isHidden ? `${sheet} (hidden)` : sheet;
  }

  row(row: number, cells: readonly string[]): void {
    this.#at(row).row(this.#columns ?? [], cells);
    this.#columns ??= cells;
  }

  comment(row: number, text: string): void {
    this.#at(row).quote(text);
  }

  drawn(row: number, text: string): void {
    this.#at(row).paragraph(text);
  }

  #at(row: number): DocumentBuilder {
    this.#document.at({ sheet: this.#sheet, row });
    if (!this.#isBegun) this.#document.heading(2, this.#heading);
    this.#isBegun = true;
    return this.#document;
  }
}

interface Workbook {
  readonly sheets: readonly { readonly name: string; readonly part: string; readonly isHidden: boolean }[];
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
