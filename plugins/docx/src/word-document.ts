import {
  alternativeText,
  bodyLines,
  childAt,
  childrenOf,
  descendantsOf,
  mainPart,
  markdownTable,
  parseXml,
  relationshipsOf,
  writeFigures,
  type Archive,
  type PartRelationship,
  type XmlElement,
} from '@kebab/formats-kit';
import { invalidInput, type DocumentBuilder } from '@kebab/plugin';
import { ListNumbers, type ListMarker } from './list-numbers.ts';
import { paragraphText, type NoteReference } from './paragraph-text.ts';
import { WordStyles } from './word-styles.ts';

/** The notes of a document by kind and id: footnotes, endnotes and comments. */
type Notes = Readonly<Record<NoteReference['kind'], ReadonlyMap<string, XmlElement>>>;

/** The parts of a Word document, and the document that they are read into. */
interface DocumentParts {
  readonly archive: Archive;
  readonly document: DocumentBuilder;
  readonly body: XmlElement;
  readonly related: readonly PartRelationship[];
  readonly styles: WordStyles;
  readonly numbers: ListNumbers;
  readonly notes: Notes;
}

/** Reads the parts of a Word document into a document. */
export class WordDocument {
  readonly #parts: DocumentParts;
  /** The numbers of the notes that have been referred to. */
  readonly #numbered = new Map<string, number>();
  #pending: NoteReference[] = [];
  #list: (ListMarker & { readonly text: string })[] = [];
  #title = '';

  private constructor(parts: DocumentParts) {
    this.#parts = parts;
  }

  /** Opens the main part. Errors: `invalid_input` if there is none, or it has no body. */
  static async open(archive: Archive, document: DocumentBuilder): Promise<WordDocument> {
    const main = await mainPart(archive, 'word/document.xml');
    const body = childAt(await parseXml(archive.text(main)), 'document', 'body');
    if (body === undefined)
      throw invalidInput(
        archive.damaged.includes(main) ? 'the text of the document is damaged' : 'the file is not a Word document',
      );
    const related = await relationshipsOf(archive, main);
    const textOf = (type: string): string => {
      const target = related.find((part) => part.type === type)?.target ?? main.replace(/[^/]+$/, `${type}.xml`);
      return archive.text(target);
    };
    const notesIn = async (list: string, name: string): Promise<ReadonlyMap<string, XmlElement>> => {
      const root = childAt(await parseXml(textOf(list)), list);
      const notes = root === undefined ? [] : childrenOf(root, name);
      return new Map(notes.map((note) => [note.attributes['id'] ?? '', note]));
    };
    return new WordDocument({
      archive,
      document,
      body,
      related,
      styles: await WordStyles.read(textOf('styles')),
      numbers: await ListNumbers.read(textOf('numbering')),
      notes: {
        footnote: await notesIn('footnotes', 'footnote'),
        endnote: await notesIn('endnotes', 'endnote'),
        comment: await notesIn('comments', 'comment'),
      },
    });
  }

  /** The text of the first paragraph with the style of a title; empty if there is none. */
  get title(): string {
    return this.#title;
  }

  /** The paths of parts that were not read: damaged ones, and whole documents of another format inside. */
  get unread(): readonly string[] {
    const embedded = this.#parts.related
      .filter(({ type }) => type === 'aFChunk')
      .map(({ target }) => `${target} (an embedded document)`);
    return [...this.#parts.archive.damaged.map((part) => `${part} (damaged)`), ...embedded];
  }

  /** Writes the text with its notes, then headers and footers. */
  async write(): Promise<void> {
    await this.#blocks(this.#parts.body);
    await this.#end();
    const shown = new Set<string>();
    this.#parts.document.top();
    for (const type of ['header', 'footer'])
      for (const { target } of this.#parts.related.filter((part) => part.type === type)) {
        const root = await parseXml(this.#parts.archive.text(target));
        const lines = plainLines(root);
        const text = lines.filter((line) => /\p{L}/u.test(line)).join('\n'); // others are the numbers of pages
        if (!shown.has(text)) this.#parts.document.paragraph(text);
        shown.add(text);
      }
  }

  async #blocks(parent: XmlElement): Promise<void> {
    const children = childrenOf(parent);
    let before: readonly XmlElement[] = [];
    for (const [at, child] of children.entries()) {
      if (child.name === 'p') {
        const all = [...before, ...childrenOf(child)];
        before = isMarkDeleted(child) && children[at + 1]?.name === 'p' ? all : [];
        if (before.length === 0) await this.#paragraph({ ...child, children: all }, childAt(child, 'pPr'));
      } else if (child.name === 'tbl') await this.#table(child);
      else if (child.name === 'oMathPara') await this.#paragraph({ ...parent, children: [child] }, undefined);
      else if (!NO_BLOCKS.has(child.name)) await this.#blocks(child);
    }
  }

  async #paragraph(paragraph: XmlElement, properties: XmlElement | undefined): Promise<void> {
    const { heading, isTitle, shown, item } = this.#shownIn(paragraph, properties);
    if (shown.text !== '') {
      const numbered = item?.isOrdered === true ? `${item.marker} ${shown.text}`.trim() : shown.text;
      if (isTitle && this.#title === '') this.#title = shown.text;
      if (heading !== null || isTitle) (await this.#end()).heading(heading ?? 1, numbered);
      else if (item === null) (await this.#end()).paragraph(shown.text);
      else this.#list.push({ ...item, text: shown.text });
    }
    this.#pending.push(...shown.notes);
    if (shown.drawings.length === 0) return;
    await this.#end();
    for (const drawing of shown.drawings) await this.#drawing(drawing);
  }

  #shownIn(paragraph: XmlElement, properties: XmlElement | undefined) {
    const { styles, numbers } = this.#parts;
    const { list, ...role } = styles.roleOf(properties);
    const shown = paragraphText(paragraph, (note) => this.#markOf(note), styles.hidden);
    return { ...role, shown, item: list === null ? null : numbers.next(list, styles.idOf(properties)) };
  }

  #markOf({ kind, id }: NoteReference): string {
    if (kind === 'comment' || !this.#parts.notes[kind].has(id)) return '';
    const key = `${kind} ${id}`;
    const number = this.#numbered.get(key) ?? this.#numbered.size + 1;
    this.#numbered.set(key, number);
    return `[${number}]`;
  }

  /** Ends a list, and writes the notes to what has been written. */
  async #end(): Promise<DocumentBuilder> {
    const list = this.#list;
    this.#list = [];
    if (list.length > 0) {
      const items = itemsOf(list);
      const markers = items.map(({ marker }) => marker);
      this.#parts.document.list(
        items.map(({ text }) => text),
        { ordered: items[0]?.isOrdered === true, markers },
      );
    }
    const notes = this.#pending;
    this.#pending = [];
    for (const note of notes) this.#note(note);
    return this.#parts.document;
  }

  #note(reference: NoteReference): void {
    const note = this.#parts.notes[reference.kind].get(reference.id);
    if (note === undefined) return;
    const text = plainLines(note).join('\n');
    if (text === '') return;
    const { author = '' } = note.attributes;
    if (reference.kind === 'comment')
      this.#parts.document.quote(`Comment${author === '' ? '' : ` by ${author}`}: ${text}`);
    else this.#parts.document.paragraph(`${this.#markOf(reference)} ${text}`);
  }

  /** A table of one column is a frame around its text. */
  async #table(table: XmlElement): Promise<void> {
    const rows = rowsOf(table);
    if (rows.every((row) => row.length < 2)) {
      for (const cell of rows.flat()) await this.#blocks(cell);
      return;
    }
    await this.#end();
    const drawings: XmlElement[] = [];
    const above = new Map<number, string>();
    const texts = rows.map((row) => {
      const cells: string[] = [];
      for (const cell of row) {
        const merge = childAt(cell, 'tcPr', 'vMerge');
        const isBelow = merge !== undefined && merge.attributes['val'] !== 'restart';
        const text = isBelow ? (above.get(cells.length) ?? '') : this.#cellText(cell, drawings);
        if (merge === undefined) above.delete(cells.length);
        else above.set(cells.length, text);
        const span = Number(childAt(cell, 'tcPr', 'gridSpan')?.attributes['val'] ?? 1);
        cells.push(text, ...Array.from({ length: Math.min(MAX_SPAN, span) - 1 || 0 }, () => ''));
      }
      return cells;
    });
    this.#parts.document.table(markdownTable(texts));
    await this.#end();
    for (const drawing of drawings) await this.#drawing(drawing);
  }

  #cellText(cell: XmlElement, drawings: XmlElement[]): string {
    const lines = descendantsOf(cell, 'p').map((paragraph) => {
      const { shown, item } = this.#shownIn(paragraph, childAt(paragraph, 'pPr'));
      this.#pending.push(...shown.notes);
      drawings.push(...shown.drawings);
      return shown.text === '' ? '' : `${item?.marker ?? ''} ${shown.text}`.trim();
    });
    return lines.filter((line) => line !== '').join(' ');
  }

  /** The text boxes, charts and diagrams of a drawing, and the alternative texts of its pictures. */
  async #drawing(drawing: XmlElement): Promise<void> {
    for (const box of descendantsOf(drawing, 'txbxContent')) await this.#blocks(box);
    await this.#end();
    for (const one of descendantsOf(drawing, 'docPr')) this.#parts.document.paragraph(alternativeText(one));
    for (const { attributes } of descendantsOf(drawing, 'textpath'))
      this.#parts.document.paragraph(attributes['string'] ?? '');
    for (const box of descendantsOf(drawing, 'txBody')) this.#parts.document.paragraph(bodyLines(box).join('\n'));
    await writeFigures(this.#parts.document, drawing, { archive: this.#parts.archive, parts: this.#parts.related });
  }
}

/** The lines of a note, a header or a footer, with those of its text boxes. */
function plainLines(part: XmlElement): readonly string[] {
  const lines = descendantsOf(part, 'p').flatMap((paragraph) => {
    const { text, drawings } = paragraphText(paragraph, () => '');
    const wordArt = drawings.flatMap((drawing) => descendantsOf(drawing, 'textpath'));
    return [
      ...text.split('\n'),
      ...drawings.flatMap((drawing) => plainLines(drawing)),
      ...wordArt.map(({ attributes }) => attributes['string'] ?? ''),
    ];
  });
  return lines.filter((line) => line !== '');
}

/** Whether the end of a paragraph is deleted, so that the next one goes on in its line. */
function isMarkDeleted(paragraph: XmlElement): boolean {
  return childAt(paragraph, 'pPr', 'rPr', 'del') !== undefined;
}

/** Elements without paragraphs that are shown. */
const NO_BLOCKS = new Set(['sectPr', 'del', 'moveFrom', 'sdtPr', 'tblPr', 'tblGrid', 'tcPr', 'trPr', 'pPr']);
const MAX_SPAN = 63;

/** The rows of a table, without those that are deleted, as cells. */
function rowsOf(table: XmlElement): readonly (readonly XmlElement[])[] {
  const rows = descendantsOf(table, 'tr').filter((row) => childAt(row, 'trPr', 'del') === undefined);
  return rows.map((row) => descendantsOf(row, 'tc'));
}

interface ListText {
  readonly marker: string;
  readonly isOrdered: boolean;
  readonly text: string;
}

/** The items of a list; those of deeper levels are lines of the item above them. */
function itemsOf(list: readonly (ListMarker & { readonly text: string })[]): readonly ListText[] {
  const outer = Math.min(...list.map(({ level }) => level));
  const items: ListText[] = [];
  for (const { level, marker, isOrdered, text } of list) {
    const item = items.at(-1);
    const words = text.replaceAll(/\s*\n\s*/g, ' ');
    if (item === undefined || level === outer) items.push({ marker, isOrdered, text: words });
    else {
      const line = `${'  '.repeat(level - outer - 1)}${marker} ${words}`.trimEnd();
      items[items.length - 1] = { ...item, text: `${item.text}\n${line}` };
    }
  }
  return items;
}
