import { fitStart, textWidth } from './text-width.ts';
import { wrapWords } from './wrap-words.ts';

const INDENT_COLUMNS = 3;
const COLUMNS_WITHOUT_TERMINAL = 80;
const MAX_LINES = 2;

/** How a snippet is laid out. */
export interface SnippetLayout {
  /** Width of the terminal; null when there is none, and nothing is cut. */
  readonly columns: number | null;
  /** Cuts nothing on a terminal either. */
  readonly whole: boolean;
}

/**
 * A snippet on at most two lines. On a terminal they fit its width, with `…` where text was left out; elsewhere they are as
 * long as the snippet demands.
 */
export function snippetLines(snippet: string, { columns, whole }: SnippetLayout): readonly string[] {
  const width = Math.max(1, (columns ?? COLUMNS_WITHOUT_TERMINAL) - INDENT_COLUMNS);
  const lines = wrapWords(snippet, width);
  if (lines.length <= MAX_LINES) return lines;
  if (columns === null || whole) return inTwo(snippet, width);
  const [first = '', ...rest] = lines;
  return [first, fitStart(rest.join(' '), width)];
}

/** Two lines about equally long: the first break behind the middle is the one that loses nothing. */
function inTwo(snippet: string, least: number): readonly string[] {
  for (let width = Math.max(least, Math.ceil(textWidth(snippet) / MAX_LINES)); ; width++) {
    const lines = wrapWords(snippet, width);
    if (lines.length <= MAX_LINES) return lines;
  }
}
