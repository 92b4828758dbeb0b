import { LineIndex } from '../domain/line-index.ts';
import { firstChars } from '../domain/text-size.ts';

/** What lines to cut out of a text. */
export interface LineRequest {
  /** First and last line, 1-based, inclusive; `end` may lie behind the last line. */
  readonly start: number;
  readonly end: number;
  /** Null: no budget. */
  readonly maxChars: number | null;
}

/** Lines cut out of a text. */
export interface CutLines {
  /** Whole lines joined by `\n` without a final newline; only a budget ends them early. */
  readonly text: string;
  /** The last line of which something is there; `start - 1` when there is nothing at all. */
  readonly effectiveEnd: number;
  readonly totalLines: number;
  /** Whether the budget cut something off. */
  readonly truncated: boolean;
  /** The range of the text that the whole lines `start` to `effectiveEnd` have; empty when there are none. */
  readonly range: { readonly start: number; readonly end: number };
}

/** Cuts lines out of a text. */
export function cutLines(text: string, { start, end, maxChars }: LineRequest): CutLines {
  const lines = new LineIndex(text);
  const totalLines = lines.count;
  const last = Math.min(end, totalLines);
  const from = lines.startOf(start);
  if (last < start)
    return { text: '', effectiveEnd: start - 1, totalLines, truncated: false, range: { start: from, end: from } };
  const whole = text.slice(from, endOf(text, lines, last));
  const cut = maxChars === null ? whole : firstChars(whole, maxChars);
  const effectiveEnd = cut.length === whole.length ? last : lines.linesOf(from, from + cut.length).end;
  return {
    text: cut,
    effectiveEnd,
    totalLines,
    truncated: cut.length < whole.length,
    range: { start: from, end: endOf(text, lines, effectiveEnd) },
  };
}

/** Where a line ends, its newline left out. */
function endOf(text: string, lines: LineIndex, line: number): number {
  const next = lines.startOf(line + 1);
  return text[next - 1] === '\n' ? next - 1 : next;
}
