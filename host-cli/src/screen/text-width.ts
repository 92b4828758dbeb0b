import { printable } from '@kebab/core/app';
import stringWidth from 'fast-string-width';
import { wrapAnsi } from 'fast-wrap-ansi';

// Texts are single lines, measured and returned as they are shown: an unprintable character has the width of its replacement. Texts are
// composed (NFC), because macOS decomposes Hangul in file names, which a terminal shows as whole syllables.

/** The width of a text on a terminal, in columns. */
export function textWidth(text: string): number {
  return stringWidth(shownText(text));
}

/** Pads a text with spaces at its end. */
export function padWidth(text: string, columns: number): string {
  return printable(text) + ' '.repeat(Math.max(0, columns - textWidth(text)));
}

/** Rows of cells in which each cell has the width of its column. */
export function alignColumns(rows: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const widths: number[] = [];
  for (const cells of rows)
    for (const [column, cell] of cells.entries()) widths[column] = Math.max(widths[column] ?? 0, textWidth(cell));
  return rows.map((cells) => cells.map((cell, column) => padWidth(cell, widths[column] ?? 0)));
}

/** The beginning of a text that fits, with `…` where it was cut. */
export function fitStart(text: string, columns: number): string {
  const shown = shownText(text);
  if (stringWidth(shown) <= columns) return shown;
  return columns < 1 ? '' : `${fitting(graphemes(shown), columns - 1).join('')}…`;
}

/** The end of a text that fits, with `…` where it was cut: the end of a path names the file. */
export function fitEnd(text: string, columns: number): string {
  const shown = shownText(text);
  if (stringWidth(shown) <= columns) return shown;
  return columns < 1
    ? ''
    : `…${fitting(graphemes(shown).toReversed(), columns - 1)
        .toReversed()
        .join('')}`;
}

/** Wraps one line of text at spaces into lines of at most this many columns; a longer word is broken. */
export function wrapWords(text: string, columns: number): readonly string[] {
  return wrapAnsi(shownText(text.trim()), columns, { hard: true }).split('\n');
}

function shownText(text: string): string {
  return printable(text).normalize();
}

function graphemes(text: string): readonly string[] {
  return Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
}

/** The first parts that fit into this many columns. */
function fitting(parts: readonly string[], columns: number): readonly string[] {
  let width = 0;
  const end = parts.findIndex((part) => (width += stringWidth(part)) > columns);
  return end === -1 ? parts : parts.slice(0, end);
}
