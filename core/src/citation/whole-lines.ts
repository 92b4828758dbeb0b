import type { TextRange } from '../domain/block.ts';

/** Reads a slice of a document's text. */
export type ReadSlice = (start: number, end: number) => string;

const REACH = 256;

/**
 * The whole lines that a range of a text touches, joined by `\n`, without a final newline. It reads little more than the
 * range: the text may be large, and every hit of a search asks.
 */
export function wholeLines(read: ReadSlice, { start, end }: TextRange, textLength: number): string {
  const last = Math.max(start, end - 1);
  for (let reach = REACH; ; reach *= 8) {
    const from = Math.max(0, start - reach);
    const to = Math.min(textLength, last + 1 + reach);
    const text = read(from, to);
    const before = start === from ? -1 : text.lastIndexOf('\n', start - from - 1);
    const after = text.indexOf('\n', last - from);
    const beginsHere = before !== -1 || from === 0;
    const endsHere = after !== -1 || to === textLength;
    if (beginsHere && endsHere) return text.slice(before + 1, after === -1 ? text.length : after);
  }
}
