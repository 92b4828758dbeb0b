import type { TextRange } from '../domain/block.ts';

/** A run of lines: its range, without the newline behind it, and its 1-based lines. */
export interface Paragraph extends TextRange {
  readonly firstLine: number;
  readonly lastLine: number;
}

/**
 * The paragraphs of a text: runs of lines that hold more than white space, in order. A paragraph begins at the start of
 * its first line and ends at the end of its last.
 */
export function paragraphsOf(text: string): readonly Paragraph[] {
  const paragraphs: Paragraph[] = [];
  let open: { readonly start: number; readonly firstLine: number } | undefined;
  let end = 0;
  let line = 0;
  for (let at = 0; at < text.length; line++) {
    const newline = text.indexOf('\n', at);
    const lineEnd = newline === -1 ? text.length : newline;
    if (!isBlank(text, at, lineEnd)) {
      open ??= { start: at, firstLine: line + 1 };
      end = lineEnd;
    } else if (open !== undefined) {
      paragraphs.push({ ...open, end, lastLine: line });
      open = undefined;
    }
    at = lineEnd + 1;
  }
  if (open !== undefined) paragraphs.push({ ...open, end, lastLine: line });
  return paragraphs;
}

/** Most lines are settled by their first character. */
function isBlank(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const unit = text.charCodeAt(at);
    if (unit > 0x20 && unit < 0x80) return false;
    if (unit !== 0x20 && unit !== 0x09) return !/\S/.test(text.slice(at, end));
  }
  return true;
}
