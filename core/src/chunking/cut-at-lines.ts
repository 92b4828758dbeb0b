import type { TextRange } from '../domain/block.ts';
import { safeCut } from '../domain/text-size.ts';
import type { TextSizer } from './text-sizer.ts';

/** A text with what is needed to measure it; made once for each document. */
export interface SizedText {
  readonly text: string;
  readonly sizer: TextSizer;
}

/** A range that may begin with headings, which are not to stand alone. */
export interface HeadedRange extends TextRange {
  /** Where its words begin, behind the headings; `start` by default. */
  readonly contentStart?: number;
}

/**
 * Cuts a range into pieces of at most `maxTokens`: at line ends, as far on as possible; a single line that is longer is cut
 * between characters, behind white space where the second half of the piece has some. Headings keep some of the content
 * with them if they fit at all. Pieces begin at a character that is not white space (but keep the indentation of a line
 * they begin with) and none is blank.
 */
export function cutAtLines({ text, sizer }: SizedText, range: HeadedRange, maxTokens: number): readonly TextRange[] {
  const contentStart = range.contentStart ?? range.start;
  const pieces: TextRange[] = [];
  let start = range.start;
  while (start < range.end) {
    const reach = sizer.reach(start, range.end, maxTokens);
    const least = contentStart < reach ? Math.max(start, contentStart) : start;
    const end = reach === range.end ? reach : cutBefore(text, { start, least, reach });
    const piece = trimmed(text, start, end);
    if (piece !== undefined) pieces.push(piece);
    start = end;
  }
  return pieces;
}

/** Always moves on: a character that alone exceeds the budget is taken whole. */
function cutBefore(
  text: string,
  at: { readonly start: number; readonly least: number; readonly reach: number },
): number {
  const { start, least, reach } = at;
  if (text.charAt(reach) === '\n' && reach > least) return reach;
  const newline = text.slice(least, reach).lastIndexOf('\n');
  if (newline > 0) return least + newline + 1;
  const floor = Math.max(least, start + Math.floor((reach - start) / 2));
  for (let behind = reach; behind > floor; behind--) if (/\s/.test(text.charAt(behind - 1))) return behind;
  const cut = safeCut(text, reach);
  return cut > start ? cut : start + 2;
}

/** The piece without white space at its ends, but for the indentation of a line; undefined when nothing is left. */
function trimmed(text: string, start: number, end: number): TextRange | undefined {
  const slice = text.slice(start, end);
  const first = slice.search(/\S/);
  if (first === -1) return undefined;
  const newline = slice.lastIndexOf('\n', first);
  const atLineStart = newline !== -1 || start === 0 || text.charAt(start - 1) === '\n';
  return { start: start + (atLineStart ? newline + 1 : first), end: start + slice.trimEnd().length };
}
