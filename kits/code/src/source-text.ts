import { LineIndex } from '@kebab/plugin';

/** A text with fast answers about the lines around an offset. Lines are 1-based; a line's end leaves its newline out. */
export class SourceText {
  readonly text: string;
  readonly #lines: LineIndex;

  constructor(text: string) {
    this.text = text;
    this.#lines = new LineIndex(text);
  }

  /** The line that holds an offset. */
  lineAt(offset: number): number {
    return this.#lines.lineAt(offset);
  }

  /** The offset at which the line around an offset begins. */
  lineStart(offset: number): number {
    return this.#lines.startOf(this.lineAt(offset));
  }

  /** The offset at which the line around an offset ends. */
  lineEnd(offset: number): number {
    const next = this.nextLine(offset);
    return this.text.charCodeAt(next - 1) === 10 ? next - 1 : next;
  }

  /** The offset at which the line behind the one around an offset begins; the length of the text behind the last. */
  nextLine(offset: number): number {
    return this.#lines.startOf(this.lineAt(offset) + 1);
  }

  /** The first and last line that a non-empty range touches. */
  linesOf(start: number, end: number): { readonly start: number; readonly end: number } {
    return this.#lines.linesOf(start, end);
  }
}
