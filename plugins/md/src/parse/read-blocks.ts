import { firstChars, LineIndex, type BlockDraft, type TextRange } from '@kebab/core';
import { MarkdownTree, type TopNode } from './markdown-tree.ts';

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

/** A document's text, and the tree of the part after the front matter. */
export interface ParsedMarkdown {
  readonly text: string;
  /** Lines above the tree's text that are text of the document, in order. */
  readonly linesAbove?: readonly number[];
  /** The 1-based line at which the text of the tree begins. */
  readonly bodyLine: number;
  readonly tree: MarkdownTree;
}

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

const MAY_HAVE_HEADING = /<h[1-6]/i;
const HTML_HEADING = /<h([1-6])(?:\s[^>]*)?>([\s\S]{0,4000}?)<\/h\1\s*>/gi;

/** HTML of the same length without what a browser does not show as a heading. */
function masked(html: string): string {
  return html.replaceAll(
    /<!--[\s\S]*?(?:-->|$)|<(script|style|pre|textarea|template)\b[\s\S]*?(?:<\/\1\s*>|$)/gi,
    (hidden) => ' '.repeat(hidden.length),
  );
}

/** The text of a heading in HTML: without tags, with alternative texts of images and decoded character references. */
function headingWords(html: string): string {
  const words = html
    .replaceAll(/<img\b[^>]*?\salt\s*=\s*(?:"([^"]*)"|'([^']*)')[^>]*>/gi, ' $1$2 ')
    .replaceAll(/<\/?(?:br|p|div|picture|source|img)\b[^>]*>/gi, ' ')
    .replaceAll(/<\/?[a-z][^>]*>/gi, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  if (!words.includes('&')) return words;
  return words.replaceAll(/&#?\w+;/g, (reference) => {
    const tree = MarkdownTree.parse(`x${reference}`);
    return tree.plainText(tree.topNodes()[0]?.id ?? 0).slice(1);
  });
}

class BlockReader {
  readonly #text: string;
  readonly #tree: MarkdownTree;
  readonly #lines: LineIndex;
  /** The number of lines before the tree's text, to be added to lines of the tree. */
  readonly #above: number;
  readonly #sections = new SectionPath();
  readonly #drafts: BlockDraft[] = [];
  /** The first line that is not part of a block yet. */
  #next: number;

  constructor({ text, linesAbove = [], bodyLine, tree }: ParsedMarkdown) {
    this.#text = text;
    this.#tree = tree;
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
    for (const node of this.#tree.topNodes()) {
      const first = Math.max(this.#next, node.firstLine + this.#above);
      this.#cover(first - 1);
      const last = this.#lastVisible(first, node.lastLine + this.#above);
      if (node.kind === 'other' && last >= first) this.#takeHtml(first, last);
      else if (last >= first) this.#push(this.#draftOf(node, first, last), last);
    }
    this.#cover(this.#lines.count);
    return this.#drafts;
  }

  #push(draft: BlockDraft, last: number): void {
    this.#drafts.push(draft);
    this.#next = last + 1;
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

  /** Makes paragraphs of the lines of an HTML block, and headings of those from `<h1>` to `</h1>` and so on. */
  #takeHtml(first: number, last: number): void {
    this.#next = first;
    const start = this.#lines.startOf(first);
    const html = this.#text.slice(start, this.#endOf(last));
    for (const match of MAY_HAVE_HEADING.test(html) ? masked(html).matchAll(HTML_HEADING) : []) {
      const from = this.#lines.lineAt(start + match.index);
      const to = Math.min(last, this.#lines.lineAt(start + match.index + match[0].length - 1));
      const words = firstChars(headingWords(match[2] ?? ''), MAX_HEADING_CHARS);
      if (from < this.#next || words === '') continue;
      this.#cover(from - 1);
      const level = Number(match[1]) as 1 | 2 | 3 | 4 | 5 | 6;
      const range = { ...this.#range(from, to), sourceSpan: { kind: 'line', start: from, end: to } as const };
      this.#push(
        { kind: 'heading', level, text: words, headingPath: this.#sections.enter(level, words), ...range },
        to,
      );
    }
    while (this.#next < last && this.#isBlank(this.#next)) this.#next++;
    if (this.#next <= last) this.#push(this.#plainDraft('paragraph', this.#next, last), last);
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
        const text = firstChars(tree.plainText(id), MAX_HEADING_CHARS);
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
