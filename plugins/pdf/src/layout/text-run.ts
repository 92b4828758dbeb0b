import type { TextRange } from '@kebab/core';
import type { Row } from './rows.ts';

/** A rectangle in points of the upright page, from its upper left corner. */
export interface Box {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}

/**
 * A piece of text as drawn with its font. `u` is the coordinate along the line, `v` across lines, both in points; `turn` is the rotation of
 * that frame on the upright page, in quarters clockwise: 0 for lines read to the right, 1 for lines read downwards (vertical Chinese and
 * Japanese), 2 and 3 for text upside down or read upwards.
 */
export interface TextRun {
  readonly text: string;
  readonly turn: 0 | 1 | 2 | 3;
  readonly u0: number;
  readonly u1: number;
  /** The baseline. */
  readonly v: number;
  /** The size of the font, in points. */
  readonly size: number;
  readonly rtl: boolean;
  /** Position in the page's stream; consecutive runs are often adjacent. */
  readonly order: number;
  /** Whether the stream has white space between the run before it and this one. */
  readonly afterBlank: boolean;
}

/** A line of a page's text: its range in that text, and its runs. */
export interface PlacedLine extends TextRange {
  readonly turn: TextRun['turn'];
  readonly row: Row;
}

/** The text of a page in reading order, with its lines. */
export interface PageLayout {
  readonly text: string;
  readonly lines: readonly PlacedLine[];
}

/** The part of the em box above the baseline; the fonts' own values are too often wrong. */
const ASCENT = 0.78;

/** The upper edge of a run, across its line. */
export function topOf({ v, size }: Pick<TextRun, 'v' | 'size'>): number {
  return v - ASCENT * size;
}

/** The lower edge of a run, across its line. */
export function bottomOf({ v, size }: Pick<TextRun, 'v' | 'size'>): number {
  return v + (1 - ASCENT) * size;
}

/** The box of a part of a line on the upright page. */
export function boxOf(
  turn: TextRun['turn'],
  { u0, u1, top, bottom }: { readonly u0: number; readonly u1: number; readonly top: number; readonly bottom: number },
): Box {
  switch (turn) {
    case 0:
      return { x0: u0, y0: top, x1: u1, y1: bottom };
    case 1:
      return { x0: -bottom, y0: u0, x1: -top, y1: u1 };
    case 2:
      return { x0: -u1, y0: -bottom, x1: -u0, y1: -top };
    case 3:
      return { x0: top, y0: -u1, x1: bottom, y1: -u0 };
    default:
      return turn satisfies never;
  }
}

const LINE_ENDS = /[\t\n\v\f\r\u0085\u2028\u2029]/g;
const NOT_TEXT = /[\p{Cc}\p{Cs}]/gu;

/**
 * The text of one piece, on one line: line ends and tabs are spaces, control characters and lone surrogates are U+FFFD, so that they do not
 * count as usable. Everything else is unchanged, and so must be the length.
 */
export function cleanText(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replaceAll(LINE_ENDS, ' ').replaceAll(NOT_TEXT, '\uFFFD');
}

/** Matches most pieces, as a fast path. */
const PLAIN = /^[\u0020-\u007E\u00A0-\u02FF\uAC00-\uD7A3]*$/;

/** The text of several lines: newlines become line feeds, each line is cleaned as one piece, and the text is trimmed. */
export function cleanLines(text: string): string {
  return text
    .split(/\r\n|[\n\r]/)
    .map((line) => cleanText(line).trimEnd())
    .join('\n')
    .trim();
}
