import { firstChars, LineIndex, type BlockDraft, type TextRange } from '@kebab/core';
import type { MarkdownTree, TopNode } from './markdown-tree.ts';

const NO_HEADINGS: readonly string[] = Object.freeze([]);

interface Section {
  readonly level: number;
  readonly path: readonly string[];
}

/** Keeps the headings in force while a document is read. Every section has one path, shared by all that asks for it. */
class SectionPath {
  readonly #sections: Section[] = [];

  /** The path of what stands here. */
  get current(): readonly string[] {
    return this.#sections.at(-1)?.path ?? NO_HEADINGS;
  }

  /** Enters the section of a heading, and answers the path of the heading itself. A heading without words adds nothing. */
  enter(level: number, heading: string): readonly string[] {
    while ((this.#sections.at(-1)?.level ?? 0) >= level) this.#sections.pop();
    const parent = this.current;
    this.#sections.push({ level, path: heading === '' ? parent : [...parent, heading] });
    return parent;
  }
}

/** A heading is repeated in the path of everything below it, so what is too long to be one is cut. */
const MAX_HEADING_CHARS = 1000;

/** A document's text, and the parsed part of it behind the front matter. */
export interface ParsedMarkdown {
  readonly text: string;
  /** The 1-based line with which the tree's text begins. */
  readonly bodyLine: number;
  readonly tree: MarkdownTree;
}

/** The blocks of a document, and the words of its first paragraph that has any, read when somebody asks. */
export interface ReadBlocks {
  readonly blocks: readonly BlockDraft[];
  readonly firstParagraph: () => string | undefined;
}

/**
 * Makes the blocks of a document of the top level of its tree. A block is whole lines, from the start of the first to the
 * end of the last that is not blank. Lines that the parser gives to no node become paragraphs: blocks cover everything.
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
  readonly #lines: LineIndex;
  /** What must be added to a line of the tree to get a line of the text. */
  readonly #above: number;
  readonly #sections = new SectionPath();
  readonly #drafts: BlockDraft[] = [];
  /** The first line that no block holds yet. */
  #next: number;

  constructor({ text, bodyLine, tree }: ParsedMarkdown) {
    this.#text = text;
    this.#tree = tree;
    this.#lines = new LineIndex(text);
    this.#above = bodyLine - 1;
    this.#next = bodyLine;
  }

  read(): readonly BlockDraft[] {
    for (const node of this.#tree.topNodes()) {
      const first = Math.max(this.#next, node.firstLine + this.#above);
      this.#cover(first - 1);
      const last = this.#lastVisible(first, node.lastLine + this.#above);
      if (last >= first) this.#push(this.#draftOf(node, first, last), last);
    }
    this.#cover(this.#lines.count);
    return this.#drafts;
  }

  #push(draft: BlockDraft, last: number): void {
    this.#drafts.push(draft);
    this.#next = last + 1;
  }

  /** Makes paragraphs of the visible lines up to this one that no node claimed. */
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

  /** Written out for each kind: spreading objects of many shapes takes five times as long, and this runs for every block. */
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

  /** Whole lines for each item: from its first line to the line above the next. */
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

  /** The offset behind the last character of a line, its newline left out. */
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
