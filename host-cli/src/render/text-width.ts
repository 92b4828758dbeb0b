import { printable } from '../io/printable.ts';

// Texts are one line each, and measured and returned as they are shown, so what cannot be printed takes its room too.
const PLAIN = /^[\u0020-\u007e]*$/;
const ZERO = /^[\p{Mn}\p{Me}\p{Cf}]/u;
const WIDE =
  /^(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}\uFE0F|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}])/u;

/** Columns that a text takes on a terminal: two for East Asian wide characters and emoji, none for combining marks. */
export function textWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemesOf(printable(text))) width += graphemeWidth(segment);
  return width;
}

/** Pads a text with spaces at its end. */
export function padWidth(text: string, columns: number): string {
  return printable(text) + ' '.repeat(Math.max(0, columns - textWidth(text)));
}

/** The beginning of a text that fits, with `…` where it was cut. */
export function fitStart(text: string, columns: number): string {
  if (textWidth(text) <= columns) return printable(text);
  return columns < 1 ? '' : `${takeWidth(text, columns - 1)}…`;
}

/** The end of a text that fits, with `…` where it was cut: of a path the file matters most. */
export function fitEnd(text: string, columns: number): string {
  const shown = printable(text);
  if (textWidth(shown) <= columns) return shown;
  if (columns < 1) return '';
  let kept = '';
  let width = 1;
  for (const { segment } of [...graphemesOf(shown)].toReversed()) {
    width += graphemeWidth(segment);
    if (width > columns) break;
    kept = segment + kept;
  }
  return `…${kept}`;
}

/** The longest beginning of a text that takes at most this many columns. */
export function takeWidth(text: string, columns: number): string {
  const shown = printable(text);
  let end = 0;
  let width = 0;
  for (const { segment, index } of graphemesOf(shown)) {
    width += graphemeWidth(segment);
    if (width > columns) break;
    end = index + segment.length;
  }
  return shown.slice(0, end);
}

function graphemeWidth(grapheme: string): number {
  if (ZERO.test(grapheme)) return 0;
  return WIDE.test(grapheme) ? 2 : 1;
}

let segmenter: Intl.Segmenter | undefined;

/** Built on first use: most texts are plain. */
function graphemesOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return segmenter.segment(text);
}
