import { firstChars, LineIndex, type BlockDraft, type TextRange } from '@kebab/core';
import type { HtmlHeading } from './html-headings.ts';
import type { MarkdownTree, TopNode } from './markdown-tree.ts';

const NO_HEADINGS: readonly string[] = Object.freeze([]);

interface Section {
  readonly level: number;
  readonly path: readonly string[];
}

/** Tracks the heading path while a document is read. All blocks of a section share one path object. */
class SectionPath {
  readonly #sections: Section[] = [];

  /** The heading path at the current position. */
  get current(): readonly string[] {
    return this.#sections.at(-1)?.path ?? NO_HEADINGS;
  }

  /** Enters the section of a heading, and returns the path of the heading itself. A heading without words is not added to paths. */
  enter(level: number, heading: string): readonly string[] {
    while ((this.#sections.at(-1)?.level ?? 0) >= level) this.#sections.pop();
    const parent = this.current;
    this.#sections.push({ level, path: heading === '' ? parent : [...parent, heading] });
    return parent;
  }
}

/** Longer headings are truncated, because a heading is repeated in the path of everything below it. */
const MAX_HEADING_CHARS = 1000;

/** What Pandoc, Quarto and kramdown write behind a heading: `{#id .class}`. */
const ATTRIBUTES = /[ \t]*\{:?[ \t]*(?:[#.][\p{L}\w:.-]+|-)(?:[ \t]+(?:[#.][\p{L}\w:.-]+|[\w-]+=\S+))*[ \t]*\}$/u;

/** How many nodes are looked at for the end tag of a heading. */
const MAX_NODES_IN_HEADING = 6;

/** A document's text, and the tree of the part after the front matter. */
export interface ParsedMarkdown {
  readonly text: string;
  /** Lines above the tree's text that are text of the document, in order. */
  readonly linesAbove?: readonly number[];
  /** The 1-based line at which the text of the tree begins. */
  readonly bodyLine: number;
  readonly tree: MarkdownTree;
  /** Finds the headings of a piece of HTML; absent when the text has none. */
  readonly htmlHeadings?: ((html: string) => readonly HtmlHeading[]) | undefined;
}

/** Whether a text may contain headings written as HTML. */
export function mayHaveHtmlHeadings(text: string): boolean {
  return HTML_HEADING.test(text);
}

const HTML_HEADING = /<h[1-6][\s>]/i;

/** The blocks of a document; `firstParagraph` computes the text of its first paragraph that has words. */
export interface ReadBlocks {
  readonly blocks: readonly BlockDraft[];
  readonly firstParagraph: () => string | undefined;
}

/**
 * Makes the blocks of a document from the top-level nodes of its tree. A block consists of whole lines, from the start of the first to the
 * end of the last that is not blank. Lines that belong to no node become paragraphs, so that blocks cover the whole text.
 */
export function readBlocks(parsed: ParsedMarkdown): ReadBlocks {
  return { blocks: new BlockReader(parsed).read(), firstParagraph: () => firstParagraph(parsed.tree) };
}

function firstParagraph(tree: MarkdownTree): string | undefined {
  for (const { id, kind } of tree.topNodes()) {
    const words = kind === 'paragraph' ? tree.plainText(id) : '';
    if (/[\p{L}\p{N}]/u.test(words)) return words;
  }
  return undefined;
}

class BlockReader {
  readonly #text: string;
  readonly #tree: MarkdownTree;
  readonly #htmlHeadings: ParsedMarkdown['htmlHeadings'];
  readonly #lines: LineIndex;
  /** The number of lines before the tree's text, to be added to lines of the tree. */
  readonly #above: number;
  readonly #sections = new SectionPath();
  readonly #drafts: BlockDraft[] = [];
  /** The first line that is not part of a block yet. */
  #next: number;

  constructor({ text, linesAbove = [], bodyLine, tree, htmlHeadings }: ParsedMarkdown) {
    this.#text = text;
    this.#tree = tree;
    this.#htmlHeadings = htmlHeadings;
    this.#lines = new LineIndex(text);
    this.#above = bodyLine - 1;
    this.#next = bodyLine;
    for (let at = 0; at < linesAbove.length; at++) {
      const first = linesAbove[at] ?? 0;
      while (linesAbove[at + 1] === (linesAbove[at] ?? 0) + 1) at++;
      this.#drafts.push(this.#plainDraft('paragraph', first, linesAbove[at] ?? first));
    }
  }

  read(): readonly BlockDraft[] {
    const nodes = this.#tree.topNodes();
    for (const [at, node] of nodes.entries()) {
      const first = Math.max(this.#next, node.firstLine + this.#above);
      this.#cover(first - 1);
      const last = this.#lastVisible(first, node.lastLine + this.#above);
      if (last < first) continue;
      const headings = this.#headingsIn(node, first, last);
      if (headings.length === 0) this.#push(this.#draftOf(node, first, last), last);
      else this.#pushHtml(headings, last, nodes.slice(at + 1, at + 1 + MAX_NODES_IN_HEADING));
    }
    this.#cover(this.#lines.count);
    return this.#drafts;
  }

  #push(draft: BlockDraft, last: number): void {
    this.#drafts.push(draft);
    this.#next = last + 1;
  }

  /** The headings of an HTML block, or of a paragraph that begins as HTML; with offsets in the text. */
  #headingsIn({ kind }: TopNode, first: number, last: number): readonly HtmlHeading[] {
    if (this.#htmlHeadings === undefined || (kind !== 'other' && kind !== 'paragraph')) return [];
    const at = this.#lines.startOf(first);
    const html = this.#text.slice(at, this.#endOf(last));
    if (!/^\s*</.test(html) || !mayHaveHtmlHeadings(html) || (kind === 'paragraph' && html.includes('`'))) return [];
    return this.#htmlHeadings(html)
      .map((heading) => ({ ...heading, start: heading.start + at, end: heading.end + at }))
      .filter(({ text, isClosed }) => text !== '' || !isClosed);
  }

  /** Makes blocks of HTML that has headings; a heading whose end tag is behind a blank line takes in the Markdown before it. */
  #pushHtml(headings: readonly HtmlHeading[], last: number, following: readonly TopNode[]): void {
    for (const [at, heading] of headings.entries()) {
      const [before, after] = [headings[at - 1], headings[at + 1]];
      const { text, end } = heading.isClosed ? heading : this.#withFollowing(heading, following);
      const first = this.#lines.lineAt(heading.start);
      const to = this.#lines.lineAt(Math.max(heading.start, end - 1));
      const sharesFirst = before !== undefined && this.#lines.lineAt(before.end - 1) >= first;
      const sharesLast = after !== undefined && this.#lines.lineAt(after.start) === to;
      if (!sharesFirst) this.#cover(first - 1);
      if (text === '') continue;
      const start = sharesFirst ? heading.start : this.#lines.startOf(first);
      const draft = { start, end: sharesLast ? after.start : this.#endOf(to) };
      const sourceSpan = { kind: 'line', start: first, end: to } as const;
      const words = firstChars(text, MAX_HEADING_CHARS);
      const headingPath = this.#sections.enter(heading.level, words);
      this.#push({ kind: 'heading', level: heading.level, text: words, ...draft, headingPath, sourceSpan }, to);
    }
    this.#cover(last);
  }

  /** The words and the end of a heading that is not closed where its HTML block ends. */
  #withFollowing(heading: HtmlHeading, following: readonly TopNode[]): Pick<HtmlHeading, 'text' | 'end'> {
    let words = heading.text;
    for (const { id, kind, firstLine } of following) {
      if (kind === 'paragraph') words += ` ${this.#tree.plainText(id)}`;
      else if (kind !== 'other') return heading;
      const line = firstLine + this.#above;
      const html = this.#text.slice(this.#lines.startOf(line), this.#endOf(line));
      if (kind === 'other' && /^\s*<\/h[1-6]\s*>/i.test(html)) return { text: words.trim(), end: this.#endOf(line) };
    }
    return heading;
  }

  /** Makes paragraphs of the lines up to `until` that belong to no node and are not blank. */
  #cover(until: number): void {
    while (this.#next <= until) {
      const first = this.#next;
      if (this.#isBlank(first)) {
        this.#next++;
        continue;
      }
      let last = first;
      while (last < until && !this.#isBlank(last + 1)) last++;
      this.#push(this.#plainDraft('paragraph', first, last), last);
    }
  }

  /** Written out for each kind, because spreading objects of many shapes takes five times as long and this runs for every block. */
  #draftOf({ id, kind }: TopNode, first: number, last: number): BlockDraft {
    const tree = this.#tree;
    const start = this.#lines.startOf(first);
    const end = this.#endOf(last);
    const sourceSpan = { kind: 'line', start: first, end: last } as const;
    switch (kind) {
      case 'heading': {
        const level = Math.min(6, Math.max(1, tree.headingLevel(id))) as 1 | 2 | 3 | 4 | 5 | 6;
        const text = firstChars(tree.plainText(id), MAX_HEADING_CHARS).replace(ATTRIBUTES, '');
        return { kind, level, text, start, end, headingPath: this.#sections.enter(level, text), sourceSpan };
      }
      case 'list': {
        const items = this.#items(tree.itemLines(id), last);
        const headingPath = this.#sections.current;
        return { kind, ordered: tree.isOrdered(id), items, start, end, headingPath, sourceSpan };
      }
      case 'code': {
        const headingPath = this.#sections.current;
        return { kind, lang: tree.codeLang(id), symbol: null, start, end, headingPath, sourceSpan };
      }
      case 'paragraph': {
        const image = tree.loneImage(id);
        if (image === undefined) return this.#plainDraft(kind, first, last);
        const { src, alt } = image;
        const content = { kind: 'imageref', src, alt, assetId: null, ocr: null, caption: null } as const;
        return { ...content, start, end, headingPath: this.#sections.current, sourceSpan };
      }
      case 'table':
      case 'quote':
        return this.#plainDraft(kind, first, last);
      case 'other':
        return this.#plainDraft('paragraph', first, last);
      default:
        return kind satisfies never;
    }
  }

  #plainDraft(kind: 'paragraph' | 'table' | 'quote', first: number, last: number): BlockDraft {
    const start = this.#lines.startOf(first);
    const end = this.#endOf(last);
    const sourceSpan = { kind: 'line', start: first, end: last } as const;
    return { kind, start, end, headingPath: this.#sections.current, sourceSpan };
  }

  /** The ranges of list items, in whole lines: from the first line of an item to the line before the next item. */
  #items(firstLines: readonly number[], last: number): readonly TextRange[] {
    return firstLines.flatMap((line, index) => {
      const first = line + this.#above;
      const before = (firstLines[index + 1] ?? last - this.#above + 1) + this.#above - 1;
      const end = this.#lastVisible(first, Math.min(before, last));
      return end < first ? [] : [this.#range(first, end)];
    });
  }

  #range(first: number, last: number): TextRange {
    return { start: this.#lines.startOf(first), end: this.#endOf(last) };
  }

  /** The end offset of a line, without its newline. */
  #endOf(line: number): number {
    const next = this.#lines.startOf(line + 1);
    return next > 0 && this.#text.charCodeAt(next - 1) === 0x0a ? next - 1 : next;
  }

  #lastVisible(first: number, last: number): number {
    let line = Math.min(last, this.#lines.count);
    while (line >= first && this.#isBlank(line)) line--;
    return line;
  }

  #isBlank(line: number): boolean {
    const start = this.#lines.startOf(line);
    const unit = this.#text.charCodeAt(start);
    if (unit > 0x20 && unit < 0x80) return false;
    return this.#text.slice(start, this.#endOf(line)).trim() === '';
  }
}
