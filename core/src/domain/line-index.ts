/**
 * Answers which line an offset lies on. Line n (1-based) is the n-th piece of `text.split("\n")`; an empty last piece is
 * not a line, so an empty text has none.
 */
export class LineIndex {
  readonly #starts: readonly number[];
  readonly #length: number;

  constructor(text: string) {
    const starts = [0];
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
    if (starts.at(-1) === text.length) starts.pop();
    this.#starts = starts;
    this.#length = text.length;
  }

  /** The number of lines. */
  get count(): number {
    return this.#starts.length;
  }

  /** The 1-based line that holds the UTF-16 offset; an offset behind the last line is on the last line. */
  lineAt(offset: number): number {
    let low = 0;
    let high = this.#starts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return Math.max(1, low);
  }

  /** The offset at which a 1-based line begins; behind the last line, the length of the text. */
  startOf(line: number): number {
    return this.#starts[line - 1] ?? this.#length;
  }

  /** The first and last line that a non-empty range `[start, end)` touches. */
  linesOf(start: number, end: number): { readonly start: number; readonly end: number } {
    return { start: this.lineAt(start), end: this.lineAt(Math.max(start, end - 1)) };
  }
}
