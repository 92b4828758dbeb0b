import type { DocumentBuilder } from '@kebab/plugin';

/** The metadata of a page. */
export interface PageFacts {
  readonly title?: string;
  readonly lang?: string;
  /** The number of its elements, and their maximum depth. */
  readonly elements: number;
  readonly depth: number;
}

/** Elements whose content is not text of the page. */
const UNREAD = new Set(
  'script style noscript template iframe object embed svg math canvas audio video select button input textarea head nav'.split(
    ' ',
  ),
);
/** Elements whose start and end tags end a paragraph. */
const BLOCKS = new Set(
  'address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption figure footer form header hr legend li main ol p section summary ul'.split(
    ' ',
  ),
);
const IN_TABLES = new Set(['table', 'tr', 'td', 'th', 'pre']);
/** A table with longer cells is layout, and its cells are paragraphs. */
const MAX_CELL = 1000;
/** Deeper elements are read as plain text. */
const MAX_DEPTH = 500;

/** A table being read; nested tables are text of the cells. */
interface Table {
  readonly rows: string[][];
  nested: number;
}

/**
 * Reads a page into a document: headings, paragraphs, lists, tables, quotes and code. Nothing in it is executed or fetched; scripts, styles
 * and hidden elements are skipped. Takes linear time, however deeply elements are nested.
 */
export async function readHtml(html: string, document: DocumentBuilder): Promise<PageFacts> {
  const { Parser } = await import('htmlparser2');
  const reader = new HtmlReader(document);
  /** Treats elements below {@link MAX_DEPTH} as empty ones, because the time for the parser's stack is quadratic. */
  class FlatParser extends Parser {
    #isTooDeep = false;

    override onopentagname(start: number, end: number): void {
      this.#isTooDeep = reader.depth >= MAX_DEPTH;
      super.onopentagname(start, end);
    }

    override onclosetag(start: number, end: number): void {
      this.#isTooDeep = false;
      super.onclosetag(start, end);
    }

    protected override isVoidElement(name: string): boolean {
      return this.#isTooDeep || super.isVoidElement(name);
    }
  }
  const parser = new FlatParser({
    onopentag: (name, attributes) => reader.open(name, attributes),
    ontext: (text) => reader.text(text),
    onclosetag: (name) => reader.close(name),
  });
  parser.write(html);
  parser.end();
  return reader.end();
}

/** Processes the tags of a page. */
class HtmlReader {
  readonly #document: DocumentBuilder;
  #words: string[] = [];
  #facts: { title?: string; lang?: string; elements: number; depth: number } = { elements: 0, depth: 0 };
  /** The number of open elements. */
  depth = 0;
  #unreadFrom = Infinity;
  #isTitle = false;
  #title = '';
  #heading = 0;
  #quotes = 0;
  #code: { lang: string | null } | null = null;
  #table: Table | null = null;
  #list: { readonly items: string[]; readonly ordered: boolean } | null = null;
  #lists = 0;

  constructor(document: DocumentBuilder) {
    this.#document = document;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    this.depth++;
    this.#facts.elements++;
    this.#facts.depth = Math.max(this.#facts.depth, this.depth);
    if (name === 'html') this.#setLang(attributes['lang'] ?? attributes['xml:lang'] ?? '');
    if (name === 'title') this.#isTitle = true;
    const isHidden = 'hidden' in attributes || attributes['aria-hidden'] === 'true';
    if (UNREAD.has(name) || isHidden) this.#unreadFrom = Math.min(this.#unreadFrom, this.depth);
    if (this.#unreadFrom <= this.depth) return;
    if (name === 'br') this.#words.push(this.#code === null ? ' ' : '\n');
    else if (name === 'img') this.#words.push(` ${attributes['alt'] ?? ''} `);
    else if (name === 'code' && this.#code !== null)
      this.#code.lang ??= /\blang(?:uage)?-([\w+#-]+)/.exec(attributes['class'] ?? '')?.[1] ?? null;
    else if (this.#table !== null) this.#openInTable(name);
    else if (this.#list !== null) this.#openInList(name);
    else this.#openBlock(name);
  }

  text(text: string): void {
    if (this.#isTitle) this.#title += text;
    else if (this.#unreadFrom > this.depth) this.#words.push(text);
  }

  close(name: string): void {
    const isRead = this.#unreadFrom > this.depth;
    if (this.#unreadFrom === this.depth) this.#unreadFrom = Infinity;
    this.depth--;
    if (name === 'title') this.#isTitle = false;
    if (!isRead) return;
    if (this.#table !== null) this.#closeInTable(name);
    else if (this.#list !== null) this.#closeInList(name);
    else if (name === 'pre' || /^h[1-6]$/.test(name) || BLOCKS.has(name)) {
      this.#flush();
      if (name === 'blockquote') this.#quotes = Math.max(0, this.#quotes - 1);
    }
  }

  end(): PageFacts {
    this.#flush();
    const title = this.#title.replaceAll(/\s+/g, ' ').trim();
    return { ...this.#facts, ...(title === '' ? {} : { title }) };
  }

  #setLang(text: string): void {
    const lang = /^[a-z]{2,3}(?=-|$)/.exec(text.toLowerCase())?.[0];
    if (lang !== undefined) this.#facts.lang = lang;
  }

  #openBlock(name: string): void {
    const heading = /^h([1-6])$/.exec(name);
    if (heading === null && name !== 'pre' && name !== 'table' && !BLOCKS.has(name)) return;
    this.#flush();
    if (heading !== null) this.#heading = Number(heading[1]);
    else if (name === 'pre') this.#code = { lang: null };
    else if (name === 'table') this.#table = { rows: [], nested: 0 };
    else if (name === 'blockquote') this.#quotes++;
    else if (name === 'ul' || name === 'ol') this.#list = { items: [], ordered: name === 'ol' };
    this.#lists = this.#list === null ? 0 : 1;
  }

  #openInTable(name: string): void {
    const table = this.#table;
    if (table === null) return;
    if (name === 'table') table.nested++;
    const isOwn = table.nested === 0;
    if (isOwn && name === 'tr') table.rows.push([]);
    if (isOwn && (name === 'td' || name === 'th' || name === 'caption')) this.#document.paragraph(this.#taken());
    else this.#words.push(BLOCKS.has(name) || IN_TABLES.has(name) ? ' ' : '');
  }

  #closeInTable(name: string): void {
    const table = this.#table;
    if (table === null) return;
    const isOwn = table.nested === 0;
    if (name === 'table' && isOwn) {
      this.#table = null;
      const stray = this.#taken();
      writeTable(this.#document, table.rows);
      this.#document.paragraph(stray);
    } else if (isOwn && (name === 'td' || name === 'th') && table.rows.length > 0)
      table.rows.at(-1)?.push(this.#taken());
    else if (isOwn && name === 'caption') this.#document.paragraph(this.#taken());
    else this.#words.push(BLOCKS.has(name) || IN_TABLES.has(name) ? ' ' : '');
    if (name === 'table' && !isOwn) table.nested--;
  }

  #openInList(name: string): void {
    if (name === 'ul' || name === 'ol') this.#lists++;
    if (name === 'li') this.#takeItem();
    else this.#words.push(BLOCKS.has(name) || IN_TABLES.has(name) ? ' ' : '');
  }

  #closeInList(name: string): void {
    if (name === 'li') this.#takeItem();
    else if ((name === 'ul' || name === 'ol') && --this.#lists === 0) {
      this.#takeItem();
      const { items, ordered } = this.#list ?? { items: [], ordered: false };
      this.#list = null;
      this.#document.list(items, { ordered });
    } else this.#words.push(BLOCKS.has(name) || IN_TABLES.has(name) ? ' ' : '');
  }

  #takeItem(): void {
    const item = this.#taken();
    if (item !== '') this.#list?.items.push(item);
  }

  /** Writes the text since the last block as a block. */
  #flush(): void {
    const [code, heading] = [this.#code, this.#heading];
    this.#code = null;
    this.#heading = 0;
    if (code !== null) {
      this.#document.code(this.#words.join(''), code.lang);
      this.#words = [];
      return;
    }
    const words = this.#taken();
    if (words === '') return;
    if (heading > 0) this.#document.heading(heading, words);
    else if (this.#quotes > 0) this.#document.quote(words);
    else this.#document.paragraph(words);
  }

  #taken(): string {
    const words = this.#words.join('').replaceAll(/\s+/g, ' ').trim();
    this.#words = [];
    return words;
  }
}

function writeTable(document: DocumentBuilder, rows: readonly (readonly string[])[]): void {
  const filled = rows.filter((row) => row.some((cell) => cell !== ''));
  const isLayout =
    filled.every((row) => row.length < 2) || filled.some((row) => row.some((cell) => cell.length > MAX_CELL));
  if (isLayout) for (const cell of filled.flat()) document.paragraph(cell);
  else {
    const lines = filled.map((row) => `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`);
    lines.splice(1, 0, `|${' --- |'.repeat(filled[0]?.length ?? 0)}`);
    document.table(lines.join('\n'));
  }
}

/** The limits for finding an article: larger or deeper pages are data, and the search would take minutes. */
export const ARTICLE_LIMITS = { chars: 2 * 2 ** 20, elements: 20_000, depth: 200 } as const;

/** The minimum share of a page's text for an article. */
const MIN_SHARE = 0.3;

/**
 * The article of a page as HTML, without navigation, advertisements and the like. Null if there is none, or too little to be the content of
 * the page. The page must be within {@link ARTICLE_LIMITS}.
 */
export async function findArticle(html: string): Promise<string | null> {
  const [{ parseHTML }, { Readability }] = await Promise.all([import('linkedom'), import('@mozilla/readability')]);
  const { document } = parseHTML(/<html[\s>]/i.test(html) ? html : `<html><body>${html}</body></html>`);
  for (const element of document.querySelectorAll('script,style,noscript,template')) element.remove();
  const heading = document.querySelector('h1')?.outerHTML ?? '';
  const all = lengthOf(document.body?.textContent);
  const article = new Readability(document, { charThreshold: 200, keepClasses: true }).parse();
  const content = article?.content ?? null;
  if (content === null || lengthOf(article?.textContent) < all * MIN_SHARE) return null;
  return /<h1[\s>]/i.test(content) ? content : `${heading}${content}`;
}

function lengthOf(text: string | null | undefined): number {
  return (text ?? '').replaceAll(/\s+/g, ' ').length;
}
