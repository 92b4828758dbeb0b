import { decodeText, type DocumentBuilder } from '@kebab/plugin';
import { mainRange } from './main-range.ts';
import { BLOCKS, HOLDS, parsePage, type PageElement } from './parse-page.ts';
import { itemsOf, lineOf, linesOf, LISTS, PREFORMATTED, preformattedText, shownChildren } from './shown-text.ts';

/** The metadata of a page. */
export interface PageFacts {
  readonly title?: string;
  readonly lang?: string;
}

/** Options of {@link readHtml}. */
export interface HtmlOptions {
  /** Whether an element may close itself, as in XHTML files and books. */
  readonly isXhtml?: boolean | undefined;
  /** Whether the main text comes first and what is around it (navigation, sidebars, the footer) after it, instead of all in page order. */
  readonly isMainFirst?: boolean | undefined;
}

/**
 * Reads a page into a document, as a person sees it in a browser without scripts: headings, paragraphs, lists with their numbers, tables,
 * quotes and code. Nothing in it is executed or fetched. What is not shown is not read: scripts, styles, what an attribute hides. Takes
 * linear time, however deeply elements are nested.
 */
export async function readHtml(html: string, document: DocumentBuilder, options: HtmlOptions = {}): Promise<PageFacts> {
  const root = await parsePage(html, options);
  const reader = new BlockReader();
  reader.read(root);
  const { blocks } = reader;
  const main = options.isMainFirst === true ? await mainRange(root, blocks) : { start: 0, end: blocks.length };
  for (const { write } of blocks.slice(main.start, main.end)) write(document);
  const around = [...blocks.slice(0, main.start), ...blocks.slice(main.end)];
  if (around.length > 0) document.top();
  for (const { write } of around) write(document);
  const title = firstOf(root, 'title');
  const words = title === null ? '' : lineOf(title);
  const lang = /^[a-z]{2,3}(?=[-_]|$)/.exec(languageTag(root).toLowerCase())?.[0];
  return { ...(words === '' ? {} : { title: words }), ...(lang === undefined ? {} : { lang }) };
}

/** A piece of a page. */
export interface PageBlock {
  /** The innermost block-level element that has all of it. */
  readonly element: PageElement;
  /** Its length in characters. */
  readonly length: number;
  readonly isHeading: boolean;
  readonly write: (document: DocumentBuilder) => void;
}

/** Reads the elements of a page into blocks, in page order. */
class BlockReader {
  readonly blocks: PageBlock[] = [];
  #words: string[] = [];
  #quotes = 0;
  /** The marker of a list item, which stands before its first block. */
  #marker = '';

  /** Reads what an element shows; the last paragraph ends with the element if that is a block. */
  read(element: PageElement): void {
    this.#readAll(shownChildren(element), element);
    if (BLOCKS.has(element.name) || element.name === '') this.#flush(element);
  }

  #readAll(children: readonly (PageElement | string)[], parent: PageElement): void {
    let line: (PageElement | string)[] = [];
    const endLine = (): void => {
      if (line.length > 0) this.#words.push(inlineText(line));
      line = [];
    };
    for (const child of children)
      if (typeof child === 'string' || !isOrHoldsBlock(child)) line.push(child);
      else {
        endLine();
        if (BLOCKS.has(child.name)) {
          this.#flush(parent);
          this.#readBlock(child);
        } else this.read(child); // a link or a button around a block
      }
    endLine();
  }

  #readBlock(element: PageElement): void {
    const heading = /^h([1-6])$/.exec(element.name);
    if (heading !== null) this.#heading(Number(heading[1]), element);
    else if (PREFORMATTED.has(element.name)) this.#code(element);
    else if (element.name === 'table') this.#table(element);
    else if (LISTS.has(element.name)) this.#list(element);
    else if (element.name === 'blockquote') {
      this.#quotes++;
      this.read(element);
      this.#quotes--;
    } else this.read(element);
  }

  #heading(level: number, element: PageElement): void {
    const words = this.#marked(
      lineOf({ ...element, children: element.children.filter((child) => !isPermalink(child)) }),
    );
    this.#push(element, words, (document) => document.heading(level, words), true);
  }

  #code(element: PageElement): void {
    const text = this.#marked(preformattedText(element));
    const lang = codeLanguage(element);
    this.#push(element, text, (document) => document.code(text, lang));
  }

  #list(list: PageElement): void {
    const items = itemsOf(list).filter(({ text }) => text !== '');
    if ((list.holds & (HOLDS.heading | HOLDS.table)) === 0) {
      const texts = items.map(({ text }) => text);
      const options = { ordered: list.name === 'ol', markers: items.map(({ marker }) => marker) };
      this.#push(list, texts.join('\n'), (document) => document.list(texts, options));
      return;
    }
    for (const { element, marker } of items) {
      if (list.name === 'ol') this.#marker = marker;
      this.read(element);
      this.#flush(list);
    }
  }

  #table(table: PageElement): void {
    const { rows, captions } = rowsOf(table);
    for (const caption of captions) this.read(caption);
    if (!isLayout(table, rows)) {
      const text = tableText(rows);
      this.#push(table, text, (document) => document.table(text));
      return;
    }
    for (const { element, isSpanned } of rows.flat())
      if (!isSpanned) {
        this.read(element);
        this.#flush(table);
      }
  }

  /** Ends a paragraph; two line breaks in a row end one too. */
  #flush(element: PageElement): void {
    const isQuote = this.#quotes > 0;
    const lines = this.#words.join(' ').replaceAll(/ ?\n ?/g, '\n');
    this.#words = [];
    for (const paragraph of lines.split(/\n{2,}/)) {
      const text = this.#marked(paragraph.trim());
      this.#push(element, text, (document) => (isQuote ? document.quote(text) : document.paragraph(text)));
    }
  }

  #marked(text: string): string {
    if (text.trim() === '' || this.#marker === '') return text;
    const marker = this.#marker;
    this.#marker = '';
    return `${marker} ${text}`;
  }

  #push(element: PageElement, text: string, write: (document: DocumentBuilder) => unknown, isHeading = false): void {
    if (text.trim() === '') return;
    this.blocks.push({ element, length: text.length, isHeading, write: (document) => void write(document) });
  }
}

function isOrHoldsBlock({ name, holds }: PageElement): boolean {
  return BLOCKS.has(name) || (holds & HOLDS.block) !== 0;
}

/** What neighbours in a line show; a line break stays one. */
function inlineText(nodes: readonly (PageElement | string)[]): string {
  return linesOf({ name: '', attributes: {}, children: [...nodes], holds: 0 }).join('\n');
}

/** A link of a heading to itself, which shows a sign alone. */
function isPermalink(child: PageElement | string): boolean {
  return (
    typeof child !== 'string' &&
    child.name === 'a' &&
    (child.attributes['href'] ?? '').startsWith('#') &&
    !/[\p{L}\p{N}]/u.test(lineOf(child))
  );
}

/** The language of a listing, by the class of its element or of the code in it: `language-js`. */
function codeLanguage(element: PageElement): string | null {
  const code = firstOf(element, 'code');
  const classes = `${element.attributes['class'] ?? ''} ${code?.attributes['class'] ?? ''}`;
  return /\blang(?:uage)?-([\w+#-]+)/.exec(classes)?.[1] ?? null;
}

/** A cell of a table; one that spans rows or columns is repeated in each, as `isSpanned`. */
interface Cell {
  readonly element: PageElement;
  readonly text: string;
  readonly isSpanned: boolean;
}

/** Cells that span more rows or columns are data. */
const MAX_SPAN = 100;

/** The rows of a table, without those of the tables in it, and its captions. */
function rowsOf(table: PageElement): {
  readonly rows: readonly (readonly Cell[])[];
  readonly captions: readonly PageElement[];
} {
  const captions: PageElement[] = [];
  const rows: Cell[][] = [];
  /** By column, the cell above that also spans this row, with the number of rows that it goes on for. */
  let spanning: ({ readonly cell: Cell; readonly rows: number } | undefined)[] = [];
  const readRow = (cells: readonly (PageElement | string)[]): void => {
    const row: Cell[] = [];
    const below: typeof spanning = [];
    const takeSpanning = (): void => {
      for (let above = spanning[row.length]; above !== undefined; above = spanning[row.length]) {
        if (above.rows > 1) below[row.length] = { cell: above.cell, rows: above.rows - 1 };
        row.push(above.cell);
      }
    };
    for (const element of cells) {
      if (typeof element === 'string' || (element.name !== 'td' && element.name !== 'th')) continue;
      takeSpanning();
      const [rowSpan, columnSpan] = [spanOf(element, 'rowspan'), spanOf(element, 'colspan')];
      const text = lineOf(element);
      for (let column = 0; column < columnSpan; column++) {
        const cell = { element, text: column === 0 ? text : '', isSpanned: column > 0 };
        if (rowSpan > 1) below[row.length] = { cell: { ...cell, isSpanned: true }, rows: rowSpan - 1 };
        row.push(cell);
      }
    }
    takeSpanning();
    spanning = below;
    rows.push(row);
  };
  const readPart = (part: PageElement): void => {
    for (const child of shownChildren(part)) {
      if (typeof child === 'string') continue;
      if (child.name === 'caption') captions.push(child);
      else if (child.name === 'tr') readRow(shownChildren(child));
      else if (child.name === 'td' || child.name === 'th') readRow([child]);
      else readPart(child);
    }
  };
  readPart(table);
  return { rows, captions };
}

function spanOf(element: PageElement, name: 'rowspan' | 'colspan'): number {
  const span = Number(element.attributes[name] ?? 1);
  return Number.isInteger(span) && span >= 1 && span <= MAX_SPAN ? span : 1;
}

/** A table with longer cells is layout, and its cells are read one after the other. */
const MAX_CELL = 1000;

/** Whether a table only arranges the page: it says so, has one column, or cells with long text, headings, tables or listings. */
function isLayout(table: PageElement, rows: readonly (readonly Cell[])[]): boolean {
  return (
    /^(?:presentation|none)$/i.test(table.attributes['role'] ?? '') ||
    rows.every((row) => row.length < 2) ||
    rows.some((row) =>
      row.some(
        ({ element, text }) =>
          text.length > MAX_CELL ||
          (element.holds & (HOLDS.heading | HOLDS.table)) !== 0 ||
          ((element.holds & HOLDS.preformatted) !== 0 && linesOf(element).length > 1),
      ),
    )
  );
}

function tableText(rows: readonly (readonly Cell[])[]): string {
  const filled = rows.filter((row) => row.some(({ text }) => text !== ''));
  const lines = filled.map((row) => `| ${row.map(({ text }) => text.replaceAll('|', '\\|')).join(' | ')} |`);
  lines.splice(1, 0, `|${' --- |'.repeat(filled[0]?.length ?? 0)}`);
  return lines.join('\n');
}

/** The first element of a name, in page order; null if there is none. The depth of elements bounds the recursion. */
function firstOf(root: PageElement, name: string): PageElement | null {
  for (const child of root.children) {
    if (typeof child === 'string') continue;
    const match = child.name === name ? child : firstOf(child, name);
    if (match !== null) return match;
  }
  return null;
}

function languageTag(root: PageElement): string {
  const attributes = firstOf(root, 'html')?.attributes ?? {};
  return attributes['lang'] ?? attributes['xml:lang'] ?? '';
}

/** A declaration in a tag; pages that are not UTF-8 often have it later than in the first 1,024 bytes, where the HTML Standard wants it. */
const DECLARED = /\b(?:charset|encoding)\s*=\s*["']?\s*([\w.:-]+)/i;
const MAX_TAG = 1000;

/**
 * Decodes the bytes of a page. UTF-8 is tried first, because many UTF-8 pages declare something else; otherwise the page is decoded with
 * its declared encoding, by the labels of the Encoding Standard. If it declares none, or an unknown one, {@link decodeText} warns.
 */
export function decodePage(bytes: Uint8Array): ReturnType<typeof decodeText> {
  return decodeText(bytes, { declared: declaredEncoding(new TextDecoder('latin1').decode(bytes)) });
}

function declaredEncoding(page: string): string | undefined {
  for (const { index } of page.matchAll(/<(?:meta|\?xml)\b/gi)) {
    const [tag] = page.slice(index, index + MAX_TAG).split('>', 1);
    const declared = DECLARED.exec(tag ?? '')?.[1];
    if (declared !== undefined) return declared;
  }
  return undefined;
}
