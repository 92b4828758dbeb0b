import { utf8Length } from '../domain/text-size.ts';

/** Answers how large ranges of one text are. A text of ASCII alone is looked at once; of any other, each range asked for. */
export class TextSizer {
  readonly #text: string;
  readonly #ascii: boolean;

  constructor(text: string) {
    this.#text = text;
    this.#ascii = utf8Length(text) === text.length;
  }

  /** The UTF-8 bytes of the range `[start, end)`. */
  bytes(start: number, end: number): number {
    return this.#ascii ? end - start : utf8Length(this.#text.slice(start, end));
  }

  /** The `est` tokens of the range `[start, end)`: UTF-8 bytes / 3, rounded up. */
  tokens(start: number, end: number): number {
    return Math.ceil(this.bytes(start, end) / 3);
  }

  /** The largest offset up to `end` such that `[start, offset)` has at most `maxTokens`; it may lie inside a character. */
  reach(start: number, end: number, maxTokens: number): number {
    let low = start;
    let high = Math.min(end, start + maxTokens * 3);
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.bytes(start, middle) <= maxTokens * 3) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
