import { cutAtLines, paragraphsOf, type SizedText, type TextRange } from '@kebab/core';

/** How large a window may be. */
export interface WindowLimits {
  readonly maxLines: number;
  readonly maxTokens: number;
}

/**
 * Cuts a range of whole lines into windows of `maxLines` lines, and those that are then larger than `maxTokens` at line
 * ends; a line that alone is too large is cut between characters. Windows begin and end with lines that are not blank.
 */
export function cutWindows(sized: SizedText, range: TextRange, limits: WindowLimits): readonly TextRange[] {
  const windows: TextRange[] = [];
  for (let start = range.start; start < range.end;) {
    const end = endOfLines(sized.text, { start, end: range.end }, limits.maxLines);
    const window = withoutBlankEnds(sized.text, { start, end });
    if (window !== null && sized.sizer.tokens(window.start, window.end) <= limits.maxTokens) windows.push(window);
    else if (window !== null) windows.push(...cutAtLines(sized, window, limits.maxTokens));
    start = end + 1;
  }
  return windows;
}

function endOfLines(text: string, { start, end }: TextRange, lines: number): number {
  let at = start - 1;
  for (let line = 0; line < lines; line++) {
    const newline = text.indexOf('\n', at + 1);
    if (newline === -1 || newline >= end) return end;
    at = newline;
  }
  return at;
}

function withoutBlankEnds(text: string, { start, end }: TextRange): TextRange | null {
  const paragraphs = paragraphsOf(text.slice(start, end));
  const [first, last] = [paragraphs[0], paragraphs.at(-1)];
  return first === undefined || last === undefined ? null : { start: start + first.start, end: start + last.end };
}
