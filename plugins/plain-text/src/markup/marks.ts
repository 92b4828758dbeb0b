/** A heading in the lines of a text; line indexes are 0-based and inclusive. */
export interface HeadingMark {
  readonly kind: 'heading';
  readonly first: number;
  readonly last: number;
  /** 1 is the outermost; levels may be skipped. */
  readonly level: number;
  /** The words without markup. */
  readonly text: string;
}

/** Lines that are shown as they are. */
interface CodeMark {
  readonly kind: 'code';
  readonly first: number;
  readonly last: number;
  readonly lang: string | null;
}

/** A line that only directs the processor: an attribute, an inclusion, the entries of a table of contents. */
interface StubMark {
  readonly kind: 'stub';
  readonly first: number;
  readonly last: number;
}

/** What a line or some lines of a markup are; lines without a mark are prose. */
export type Mark = HeadingMark | CodeMark | StubMark;

/** The marks of a text, in order and without overlap, and its title if it states one apart from its headings. */
export interface Marked {
  readonly marks: readonly Mark[];
  readonly title?: string | undefined;
}

/** The line that ends a block which begins at a line; the last line if it is never closed. */
export function closingLine(lines: readonly string[], from: number, isEnd: (line: string) => boolean): number {
  for (let at = from + 1; at < lines.length; at++) if (isEnd(lines[at] ?? '')) return at;
  return lines.length - 1;
}

/** Whether a line has only white space. */
export function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === '';
}

/** The number of leading blanks. */
export function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
