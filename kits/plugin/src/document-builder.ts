import {
  anchorOf,
  type BlockContent,
  type BlockDraft,
  type ExtractedDocument,
  type PageRange,
  type Place,
  type SourceSpan,
  type TextRange,
} from '@kebab/core';

/** The metadata of a document, besides its text. */
export type BuiltDocument = Pick<ExtractedDocument, 'title' | 'lang' | 'metadata' | 'warnings'>;

type HeadingLevel = Extract<BlockContent, { readonly kind: 'heading' }>['level'];

/**
 * Builds the text of a document piece by piece, with its offsets, headings and spans. Each piece is cited by the place last set with {@link
 * DocumentBuilder.at} or {@link DocumentBuilder.page}; without one, by its section: `#section=opening-hours`. White space around a piece is
 * dropped, and a piece without text is ignored.
 */
export class DocumentBuilder {
  readonly #texts: string[] = [];
  readonly #blocks: BlockDraft[] = [];
  readonly #pages: PageRange[] = [];
  readonly #slugs = new Map<string, number>();
  #length = 0;
  #endsInRow = false;
  #headings: readonly { readonly level: number; readonly text: string }[] = [];
  #path: readonly string[] = [];
  #anchor: string | null = null;
  #section = 'section=top';
  #title: string | undefined;

  /** Sets the place of the following pieces, outermost step first: `{ cell: 12 }`, `{ sheet: 'Q3', row: 17 }`. */
  at(place: Place): this {
    this.#anchor = anchorOf(place);
    return this;
  }

  /** Begins the next page; pages count from 1. A document has pages or places, not both. */
  page(): this {
    const start = this.#length;
    this.#pages.push({ page: this.#pages.length + 1, start, end: start });
    return this;
  }

  /** Ends all sections: what follows belongs to no heading, until the next one. */
  top(): this {
    this.#headings = [];
    this.#path = [];
    this.#section = 'section=top';
    return this;
  }

  /** A heading, outermost level 1. The first one of the outermost level used becomes the title, unless one is given. */
  heading(level: number, text: string): this {
    const words = foldedLine(text);
    const bounded = Math.min(6, Math.max(1, Math.trunc(level))) as HeadingLevel;
    return this.#heading(bounded, { source: words, words });
  }

  paragraph(text: string): this {
    return this.#add(text, { kind: 'paragraph' });
  }

  quote(text: string): this {
    return this.#add(text, { kind: 'quote' });
  }

  /** Source code; a cell of a notebook, a listing. */
  code(text: string, lang: string | null = null): this {
    return this.#add(text, { kind: 'code', lang, symbol: null });
  }

  /** A whole table as text. */
  table(text: string): this {
    return this.#add(text, { kind: 'table' });
  }

  /** One row of a table with column names before the values: `Port: Busan | Depth: 12`. Empty values are omitted. */
  row(columns: readonly string[], values: readonly string[]): this {
    const cells = values.flatMap((value, at) => {
      const name = foldedLine(columns[at] ?? '');
      const text = foldedLine(value);
      return text === '' ? [] : [name === '' ? text : `${name}: ${text}`];
    });
    return this.#add(cells.join(' | '), { kind: 'table' }, { isRow: true });
  }

  /**
   * A list with one item per line, indented by two spaces from the second line on. `markers`, one an item, are what stands before it (`7.`);
   * without them, items are counted from 1 or begin with `-`. An empty marker is left out.
   */
  list(
    items: readonly string[],
    { ordered = false, markers }: { readonly ordered?: boolean; readonly markers?: readonly string[] } = {},
  ): this {
    const lines = items.map((item, at) => {
      const marker = markers?.[at] ?? (ordered ? `${at + 1}.` : '-');
      return `${marker === '' ? '' : `${marker} `}${cleaned(item).replaceAll('\n', '\n  ')}`;
    });
    return this.#list(lines, ordered);
  }

  /** Markdown as converters write it: headings, paragraphs, lists, tables, quotes and fenced code. Its text is unchanged. */
  markdown(text: string): this {
    for (const piece of markdownPieces(cleaned(text, { keepIndent: true }))) {
      if (piece.kind === 'heading') this.#heading(piece.level as HeadingLevel, piece);
      else if (piece.kind === 'list') this.#list(piece.items, piece.ordered);
      else this.#add(piece.source, piece.kind === 'code' ? { ...CODE, lang: piece.lang } : { kind: piece.kind });
    }
    return this;
  }

  /** The finished document. An empty title counts as none. */
  build({ title: given = '', ...facts }: BuiltDocument = {}): ExtractedDocument {
    const title = given === '' ? this.#title : given;
    return {
      ...facts,
      ...(title === undefined ? {} : { title }),
      text: this.#texts.length === 0 ? '' : `${this.#texts.join('')}\n`,
      blocks: this.#blocks,
      ...(this.#pages.length === 0 ? {} : { pages: this.#pages }),
    };
  }

  #heading(level: HeadingLevel, { source, words }: { readonly source: string; readonly words: string }): this {
    if (words === '') return this;
    const outer = this.#headings.filter((heading) => heading.level < level);
    this.#path = outer.map((heading) => heading.text);
    this.#section = `section=${this.#slug(words)}`;
    if (outer.length === 0 && level === 1) this.#title ??= words;
    this.#add(source, { kind: 'heading', level, text: words });
    this.#headings = [...outer, { level, text: words }];
    this.#path = this.#headings.map((heading) => heading.text);
    return this;
  }

  #list(lines: readonly string[], ordered: boolean): this {
    const items: TextRange[] = [];
    let end = this.#length + this.#gap(false).length;
    for (const line of lines) {
      items.push({ start: end, end: end + line.length });
      end += line.length + 1;
    }
    return this.#add(lines.join('\n'), { kind: 'list', ordered, items }, { isClean: true });
  }

  #add(
    text: string,
    content: BlockContent,
    { isRow = false, isClean = false }: { readonly isRow?: boolean; readonly isClean?: boolean } = {},
  ): this {
    const words = isClean ? text : cleaned(text, { keepIndent: content.kind === 'code' });
    if (words.trim() === '') return this;
    const gap = this.#gap(isRow);
    const start = this.#length + gap.length;
    const end = start + words.length;
    this.#texts.push(gap, words);
    this.#length = end;
    this.#endsInRow = isRow;
    this.#blocks.push({ ...content, start, end, headingPath: this.#path, sourceSpan: this.#span({ start, end }) });
    return this;
  }

  #span({ start, end }: TextRange): SourceSpan {
    const page = this.#pages.at(-1);
    if (page === undefined) return { kind: 'anchor', anchor: this.#anchor ?? this.#section };
    const from = page.end === page.start ? start : page.start;
    this.#pages[this.#pages.length - 1] = { page: page.page, start: from, end };
    return { kind: 'page', page: page.page, char_start: start - from, char_end: end - from };
  }

  /** The separator between the previous piece and the next; rows follow each other line by line. */
  #gap(isRow: boolean): string {
    if (this.#length === 0) return '';
    return isRow && this.#endsInRow ? '\n' : '\n\n';
  }

  /** The name of a section: its words in lower case with hyphens, numbered if repeated. */
  #slug(words: string): string {
    const plain =
      words
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
        .replaceAll(/^-+|-+$/g, '') || 'section';
    const count = (this.#slugs.get(plain) ?? 0) + 1;
    this.#slugs.set(plain, count);
    const name = count === 1 ? plain : `${plain}-${count}`;
    return anchorOf({ section: name }).slice('section='.length);
  }
}

const CODE = { kind: 'code', lang: null, symbol: null } as const;

/** Normalises a text for documents: LF line ends, no NUL, trimmed. */
function cleaned(text: string, { keepIndent = false }: { readonly keepIndent?: boolean } = {}): string {
  const lines = text.replaceAll(/\r\n?/g, '\n').replaceAll('\0', '\uFFFD');
  return keepIndent ? lines.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd() : lines.trim();
}

/** Runs of white space that are not a single space already: replacing each of millions would take most of the time of a long text. */
const UNFOLDED_SPACE = /[^\S ]\s*| \s+/g;

function foldedLine(text: string): string {
  return text.replaceAll('\0', '\uFFFD').replaceAll(UNFOLDED_SPACE, ' ').trim();
}

/** A structural piece of Markdown; `source` is its original text. */
type MarkdownPiece =
  | { readonly kind: 'paragraph' | 'table' | 'quote'; readonly source: string }
  | { readonly kind: 'code'; readonly source: string; readonly lang: string | null }
  | { readonly kind: 'list'; readonly items: readonly string[]; readonly ordered: boolean }
  | { readonly kind: 'heading'; readonly source: string; readonly level: number; readonly words: string };

const FENCE = /^ {0,3}(`{3,}|~{3,})[^\S\n]*([^\s`]*)/;
const HEADING = /^ {0,3}(#{1,6})(?:[^\S\n]+(.*))?$/;
const UNDERLINE = /^ {0,3}(=+|-{2,})[^\S\n]*$/;
const ITEM = /^ {0,3}(?:[-*+]|(\d{1,9})[.)])(?:[^\S\n]|$)/;
const BLANK = /^\s*$/;
/** Longer lines are not headings, whatever they begin with. */
const MAX_HEADING = 1000;

/**
 * Splits Markdown into its top-level pieces, line by line, for the subset that converters write. Anything else is a paragraph, so no text
 * is lost. Takes linear time.
 */
function markdownPieces(text: string): readonly MarkdownPiece[] {
  const lines = text.split('\n');
  const pieces: MarkdownPiece[] = [];
  for (let at = 0; at < lines.length;) {
    if (BLANK.test(lines[at] ?? '')) at++;
    else {
      const end = endOfPiece(lines, at);
      pieces.push(pieceOf(lines.slice(at, end)));
      at = end;
    }
  }
  return pieces;
}

function endOfPiece(lines: readonly string[], start: number): number {
  const line = lines[start] ?? '';
  const [, fence] = FENCE.exec(line) ?? [];
  if (fence !== undefined) {
    const close = new RegExp(`^ {0,3}${fence.charAt(0)}{${fence.length},}\\s*$`);
    let at = start + 1;
    while (at < lines.length && !close.test(lines[at] ?? '')) at++;
    return Math.min(lines.length, at + 1);
  }
  if (HEADING.test(line)) return start + 1;
  let end = start + 1;
  const item = ITEM.exec(line);
  if (item !== null) {
    const isOrdered = item[1] !== undefined;
    const continues = (at: number): boolean => {
      const next = ITEM.exec(lines[at] ?? '');
      return next === null ? /^\s+\S/.test(lines[at] ?? '') : (next[1] !== undefined) === isOrdered;
    };
    while (end < lines.length) {
      if (
        BLANK.test(lines[end] ?? '')
          ? !continues(end + 1)
          : !continues(end) && (opens(lines[end] ?? '') || ITEM.test(lines[end] ?? ''))
      )
        break;
      end++;
    }
    return end;
  }
  const [isTable, isQuote] = [line.trimStart().startsWith('|'), line.trimStart().startsWith('>')];
  for (; end < lines.length && !BLANK.test(lines[end] ?? ''); end++) {
    const next = lines[end] ?? '';
    if (isTable ? !next.trimStart().startsWith('|') : opens(next) && !(isQuote && next.trimStart().startsWith('>')))
      break;
    if (!isTable && !isQuote && end === start + 1 && UNDERLINE.test(next)) return end + 1;
  }
  return end;
}

/** Whether a line begins a new piece, whatever precedes it. */
function opens(line: string): boolean {
  return FENCE.test(line) || HEADING.test(line) || /^ {0,3}(?:>|\|)/.test(line);
}

function pieceOf(lines: readonly string[]): MarkdownPiece {
  const source = lines.join('\n').trimEnd();
  const first = lines[0] ?? '';
  const fence = FENCE.exec(first);
  if (fence !== null) return { kind: 'code', source, lang: fence[2] === '' ? null : (fence[2] ?? null) };
  const heading = HEADING.exec(first);
  if (heading !== null) return headingOf(source, heading[1]?.length ?? 1, heading[2] ?? '');
  const underline = lines.length === 2 ? UNDERLINE.exec(lines[1] ?? '') : null;
  if (underline !== null) return headingOf(source, underline[1]?.startsWith('=') === true ? 1 : 2, first);
  const item = ITEM.exec(first);
  if (item !== null) return { kind: 'list', items: itemsOf(lines), ordered: item[1] !== undefined };
  if (first.trimStart().startsWith('|')) return { kind: 'table', source };
  return { kind: first.trimStart().startsWith('>') ? 'quote' : 'paragraph', source };
}

/** The items of a list, each with the lines below it. */
function itemsOf(lines: readonly string[]): readonly string[] {
  const items: string[][] = [];
  for (const line of lines)
    if (ITEM.test(line) || items.length === 0) items.push([line]);
    else items.at(-1)?.push(line);
  return items.map((item) => item.join('\n').trimEnd());
}

/** A heading with its text for heading paths: without closing marks, links, emphasis and escapes. */
function headingOf(source: string, level: number, text: string): MarkdownPiece {
  if (text.length > MAX_HEADING) return { kind: 'paragraph', source };
  const words = text
    .replace(/[^\S\n]+#+\s*$/, '')
    .replaceAll(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replaceAll(/\\([!-/:-@[-`{-~])|(\*\*|__|[*`])/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return words === '' || words === '#' ? { kind: 'paragraph', source } : { kind: 'heading', source, level, words };
}
