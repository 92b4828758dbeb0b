import { type BlockDraft, type ExtractedDocument, firstChars } from '@kebab/core';
import { isAsciiDoc, markAsciiDoc } from './ascii-doc.ts';
import { markLatex } from './latex.ts';
import { isBlank, type HeadingMark, type Mark, type Marked } from './marks.ts';
import { markOrg } from './org.ts';
import { markRestructuredText } from './restructured-text.ts';

const READERS: ReadonlyMap<string, (lines: readonly string[]) => Marked> = new Map([
  ['rst', markRestructuredText],
  ['adoc', markAsciiDoc],
  ['asciidoc', markAsciiDoc],
  ['org', markOrg],
  ['tex', markLatex],
]);

/** Cuts at headings; also for other markups than Markdown. */
const HEADING_CHUNKER = 'md-heading-v1';
const MAX_LEVEL = 6;
/** Longer headings are truncated, because a heading is repeated in the path of everything below it. */
const MAX_HEADING_CHARS = 1000;

/** The blocks and title of a text in a markup that its extension names, or AsciiDoc in a `.txt`; null for plain text, and for one without any heading. */
export function readMarkup(
  text: string,
  path: string,
): Pick<ExtractedDocument, 'blocks' | 'title' | 'chunkerId'> | null {
  const lines = text.split('\n');
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  const marked = READERS.get(extension === 'txt' && isAsciiDoc(text, lines) ? 'adoc' : extension)?.(lines);
  if (marked === undefined) return null;
  const headings = marked.marks.filter((mark) => mark.kind === 'heading');
  if (headings.length === 0) return null;
  const top = Math.min(...headings.map(({ level }) => level));
  const title = marked.title ?? headings.find(({ level, text: words }) => level === top && words !== '')?.text;
  return {
    blocks: new MarkupBlocks(lines, marked.marks).read(),
    chunkerId: HEADING_CHUNKER,
    ...(title === undefined ? {} : { title: firstChars(title, MAX_HEADING_CHARS) }),
  };
}

/** Makes the blocks of marked lines. A block consists of whole lines; lines that direct the processor below a heading belong to it. */
class MarkupBlocks {
  readonly #lines: readonly string[];
  readonly #marks: readonly Mark[];
  /** The offset of each line. */
  readonly #offsets: readonly number[];
  readonly #blocks: BlockDraft[] = [];
  readonly #sections: { readonly level: number; readonly path: readonly string[] }[] = [];

  constructor(lines: readonly string[], marks: readonly Mark[]) {
    this.#lines = lines;
    this.#marks = marks;
    let offset = 0;
    this.#offsets = lines.map((line) => (offset += line.length + 1) - line.length - 1);
  }

  read(): readonly BlockDraft[] {
    let next = 0;
    for (const [at, mark] of this.#marks.entries()) {
      if (mark.first < next || mark.kind === 'stub') continue;
      this.#prose(next, mark.first - 1);
      next = mark.last + 1;
      if (mark.kind === 'heading') next = this.#heading(mark, at);
      else if (this.#lastWritten(mark) >= mark.first)
        this.#push({ kind: 'code', lang: mark.lang, symbol: null }, mark.first, this.#lastWritten(mark));
    }
    this.#prose(next, this.#lines.length - 1);
    return this.#blocks;
  }

  /** Adds a heading with the stubs below it; returns the line after them. */
  #heading({ first, last, level, text }: HeadingMark, at: number): number {
    let end = last;
    for (let i = at + 1; this.#marks[i]?.kind === 'stub' && this.#isBlankBetween(end, this.#marks[i]?.first ?? 0); i++)
      end = this.#marks[i]?.last ?? end;
    const words = firstChars(text, MAX_HEADING_CHARS);
    const bounded = Math.min(MAX_LEVEL, level);
    while ((this.#sections.at(-1)?.level ?? 0) >= bounded) this.#sections.pop();
    this.#push({ kind: 'heading', level: bounded as 1 | 2 | 3 | 4 | 5 | 6, text: words }, first, end);
    const path = words === '' ? this.#path : [...this.#path, words];
    this.#sections.push({ level: bounded, path });
    return end + 1;
  }

  get #path(): readonly string[] {
    return this.#sections.at(-1)?.path ?? NO_HEADINGS;
  }

  /** Adds the paragraphs of some lines. */
  #prose(first: number, last: number): void {
    for (let at = first; at <= last; at++) {
      if (isBlank(this.#lines[at])) continue;
      let end = at;
      while (end < last && !isBlank(this.#lines[end + 1])) end++;
      this.#push({ kind: 'paragraph' }, at, end);
      at = end;
    }
  }

  #push(content: Parameters<typeof blockOf>[0], first: number, last: number): void {
    const start = this.#offsets[first] ?? 0;
    const end = (this.#offsets[last] ?? 0) + (this.#lines[last]?.length ?? 0);
    this.#blocks.push(blockOf(content, { start, end, first, last }, this.#path));
  }

  #isBlankBetween(after: number, before: number): boolean {
    for (let at = after + 1; at < before; at++) if (!isBlank(this.#lines[at])) return false;
    return true;
  }

  #lastWritten({ first, last }: Mark): number {
    let at = last;
    while (at >= first && isBlank(this.#lines[at])) at--;
    return at;
  }
}

const NO_HEADINGS: readonly string[] = Object.freeze([]);

type MarkupContent =
  | { readonly kind: 'heading'; readonly level: 1 | 2 | 3 | 4 | 5 | 6; readonly text: string }
  | { readonly kind: 'paragraph' }
  | { readonly kind: 'code'; readonly lang: string | null; readonly symbol: null };

function blockOf(
  content: MarkupContent,
  {
    start,
    end,
    first,
    last,
  }: { readonly start: number; readonly end: number; readonly first: number; readonly last: number },
  headingPath: readonly string[],
): BlockDraft {
  return { ...content, start, end, headingPath, sourceSpan: { kind: 'line', start: first + 1, end: last + 1 } };
}
