import { createMdastHandle, dropHandle, MdastReader, serializeHandle } from 'satteri';

/**
 * The numbers of the node types that matter here; all others are inline or kept as they are. Fields are read at their offset in a node and
 * in its data, according to the layout of satteri 0.10.5; tests verify numbers and offsets. Fields are read directly because satteri's own
 * reader decodes the whole text again for the first string, and creates three objects for the position of a node.
 */
const TYPE = {
  heading: 2,
  blockquote: 4,
  list: 5,
  code: 8,
  definition: 9,
  text: 10,
  inlineCode: 13,
  lineBreak: 14,
  link: 15,
  linkReference: 17,
  image: 16,
  imageReference: 18,
  paragraph: 1,
  table: 21,
} as const;

/** The offsets of a node's lines and of its data. A string in the data consists of an offset and a length in bytes. */
const FIELD = { firstLine: 20, lastLine: 28, dataOffset: 44, dataLength: 48 } as const;

/** The only optional features: tables, strikethrough, task lists and footnotes are part of GFM and on by default. */
const FEATURES = { frontmatter: false } as const;
/**
 * satteri 0.10.5 takes quadratic time for footnotes on consecutive lines, so texts with thousands of footnotes are parsed without this
 * feature. No words are lost.
 */
const WITHOUT_FOOTNOTES = { ...FEATURES, gfm: { footnotes: false } } as const;
const FOOTNOTES_TO_SUSPECT = 5000;

/** The line of a node that has no position in the text. */
const NO_LINE = 0;

/** A node at the top level. Lines are 1-based and inclusive, counted from the start of the parsed text. */
export interface TopNode {
  readonly id: number;
  readonly kind: 'heading' | 'paragraph' | 'list' | 'code' | 'table' | 'quote' | 'other';
  readonly firstLine: number;
  readonly lastLine: number;
}

/** A parsed Markdown text, whose nodes are converted to JavaScript values only on request. */
export class MarkdownTree {
  readonly #reader: MdastReader;
  readonly #bytes: Buffer;
  readonly #layout: MdastReader['header'];

  private constructor(serialized: Uint8Array) {
    this.#reader = new MdastReader(serialized);
    this.#layout = this.#reader.header;
    this.#bytes = Buffer.from(serialized.buffer, serialized.byteOffset, serialized.byteLength);
  }

  /** A tree without nodes, for a text that is not parsed as Markdown. */
  static readonly EMPTY = MarkdownTree.parse('');

  /** Parses a text without front matter. */
  static parse(text: string): MarkdownTree {
    const handle = createMdastHandle(text, hasTooManyFootnotes(text) ? WITHOUT_FOOTNOTES : FEATURES, true);
    try {
      return new MarkdownTree(serializeHandle(handle));
    } finally {
      dropHandle(handle);
    }
  }

  /** The nodes at the top level, in order. */
  topNodes(): readonly TopNode[] {
    const nodes: TopNode[] = [];
    for (const id of this.#reader.getChildIds(0)) {
      const firstLine = this.#field(id, FIELD.firstLine);
      if (firstLine === NO_LINE) continue;
      nodes.push({ id, kind: this.#kindOf(id), firstLine, lastLine: this.#field(id, FIELD.lastLine) });
    }
    return nodes;
  }

  /** A heading's level, 1 to 6. */
  headingLevel(id: number): number {
    return this.#reader.fieldU8(id, 0, 1);
  }

  /** Whether a list is numbered. */
  isOrdered(id: number): boolean {
    return this.#reader.getListData(id).ordered;
  }

  /** The first line of each item of a list. */
  itemLines(id: number): readonly number[] {
    return this.#reader
      .getChildIds(id)
      .map((item) => this.#field(item, FIELD.firstLine))
      .filter((line) => line !== NO_LINE);
  }

  /** The first word of a fence's info string; null for indented code and for fences without a language. */
  codeLang(id: number): string | null {
    return this.#string(id, 0) || null;
  }

  /** The image of a paragraph that consists of a single image with a known destination; undefined otherwise. */
  loneImage(id: number): { readonly src: string; readonly alt: string } | undefined {
    const [only, ...others] = this.#reader.getChildIds(id);
    if (only === undefined || others.length > 0) return undefined;
    const type = this.#reader.getNodeType(only);
    if (type === TYPE.image) return { src: this.#string(only, 0), alt: this.#string(only, 8) };
    if (type !== TYPE.imageReference) return undefined;
    const src = this.#destinationOf(this.#string(only, 0));
    return src === undefined ? undefined : { src, alt: this.#string(only, 20) };
  }

  /** The plain text of a node: text, code and the alternative texts of images; line breaks become spaces. */
  plainText(id: number): string {
    let words = '';
    this.#reader.walk((node, type) => {
      if (type === TYPE.text || type === TYPE.inlineCode) words += this.#string(node, 0);
      else if (type === TYPE.lineBreak) words += ' ';
      else if (type === TYPE.image) words += this.#string(node, 8);
      else if (type === TYPE.imageReference) words += this.#string(node, 20);
      return true;
    }, id);
    return words.includes('\n') || words.includes('  ') ? words.replaceAll(/\s+/g, ' ').trim() : words.trim();
  }

  /** The texts of all text nodes outside code, HTML and links. */
  texts(): readonly string[] {
    const texts: string[] = [];
    this.#reader.walk((node, type) => {
      if (type === TYPE.text) texts.push(this.#string(node, 0));
      return type !== TYPE.link && type !== TYPE.linkReference;
    }, 0);
    return texts;
  }

  #field(id: number, offset: number): number {
    return this.#bytes.readUInt32LE(this.#layout.nodesOffset + id * this.#layout.nodeStructSize + offset);
  }

  /** A string in the data of a node; empty if there is none. */
  #string(id: number, offset: number): string {
    if (offset + 8 > this.#field(id, FIELD.dataLength)) return '';
    const at = this.#layout.typeDataOffset + this.#field(id, FIELD.dataOffset) + offset;
    const start = this.#layout.stringPoolOffset + this.#bytes.readUInt32LE(at);
    return this.#bytes.toString('utf8', start, start + this.#bytes.readUInt32LE(at + 4));
  }

  /** The destination of a link label, from its first definition at the top level. */
  #destinationOf(identifier: string): string | undefined {
    const definition = this.#reader
      .getChildIds(0)
      .find((id) => this.#reader.getNodeType(id) === TYPE.definition && this.#string(id, 16) === identifier);
    return definition === undefined ? undefined : this.#string(definition, 0);
  }

  #kindOf(id: number): TopNode['kind'] {
    switch (this.#reader.getNodeType(id)) {
      case TYPE.heading:
        return 'heading';
      case TYPE.paragraph:
        return 'paragraph';
      case TYPE.list:
        return 'list';
      case TYPE.code:
        return 'code';
      case TYPE.table:
        return 'table';
      case TYPE.blockquote:
        return 'quote';
      default:
        return 'other';
    }
  }
}

function hasTooManyFootnotes(text: string): boolean {
  if (text.length < FOOTNOTES_TO_SUSPECT * '[^1]:\n'.length) return false;
  let count = 0;
  for (let at = text.indexOf('[^'); at !== -1 && count <= FOOTNOTES_TO_SUSPECT; at = text.indexOf('[^', at + 2))
    count++;
  return count > FOOTNOTES_TO_SUSPECT;
}
