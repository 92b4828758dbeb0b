import { drawnWidth, type OcrText, type TextRange } from '@kebab/core';
import { cleanText, bottomOf, boxOf, topOf, type Box, type PageLayout, type TextRun } from '../layout/text-run.ts';

/** A piece of a page's text that was drawn at once, with its box; `line` is the number of its line. */
export interface PlacedPiece extends TextRange {
  readonly text: string;
  readonly line: number;
  readonly turn: TextRun['turn'];
  readonly rtl: boolean;
  readonly box: Box;
}

/** The pieces of a page's own text with separate boxes, because the words of one line need not share a baseline. */
export function piecesOfPage({ text, lines }: PageLayout): readonly PlacedPiece[] {
  return lines.flatMap(({ start, end, turn, row }, line) => {
    const words = text.slice(start, end);
    const runs = row.segments.flatMap((segment) => segment.runs).toSorted((one, other) => one.u0 - other.u0);
    let from = 0;
    return runs.flatMap((run): readonly PlacedPiece[] => {
      const wanted = run.text.trim();
      const behind = words.indexOf(wanted, from);
      const at = behind === -1 ? words.indexOf(wanted) : behind;
      if (at === -1) return []; // an accent that was joined with its letter
      from = at + wanted.length;
      const box = boxOf(turn, { u0: run.u0, u1: run.u1, top: topOf(run), bottom: bottomOf(run) });
      return [{ start: start + at, end: start + from, text: wanted, line, turn, rtl: run.rtl, box }];
    });
  });
}

/** The lines of OCR on a page, as pieces of the text that replaced the page's own. */
export function piecesOfOcr({ regions }: OcrText): readonly PlacedPiece[] {
  let start = 0;
  return regions.map(({ text, bbox: [x, y, w, h] }, line) => {
    const words = cleanText(text).trimEnd();
    const range = { start, end: start + words.length };
    start = range.end + 1;
    return { ...range, text: words, line, turn: 0, rtl: false, box: { x0: x, y0: y, x1: x + w, y1: y + h } };
  });
}

/** Boxes further apart than this, in points, are not joined into one frame. */
const REACH = 72;
/** How far a frame may overlap a line outside the range, in parts of that line's height. */
const CUT = 0.25;

/** Frames around the lines that a range touches, as few as possible without framing a line outside the range: one for each column. */
export function framesOf(pieces: readonly PlacedPiece[], { start, end }: TextRange): readonly Box[] {
  const touched = new Set(pieces.flatMap((piece) => (piece.start < end && piece.end > start ? [piece.line] : [])));
  const others = pieces.filter(({ line }) => !touched.has(line)).map(({ box }) => box);
  const frames: Box[] = [];
  for (const { line, box } of pieces) {
    if (!touched.has(line)) continue;
    frames.push(box);
    while (joinsOne(frames, others, REACH));
  }
  return frames;
}

/** Joins the last frame with an earlier one if possible; otherwise returns false. */
function joinsOne(frames: Box[], others: readonly Box[], reach: number): boolean {
  const last = frames.at(-1);
  if (last === undefined) return false;
  for (let at = frames.length - 2; at >= 0; at--) {
    const frame = frames[at] as Box;
    const joined = union(frame, last);
    if (distance(frame, last) > reach || others.some((other) => cuts(joined, other))) continue;
    frames.splice(at, 1);
    frames[frames.length - 1] = joined;
    return true;
  }
  return false;
}

function cuts(frame: Box, { x0, y0, x1, y1 }: Box): boolean {
  const spare = CUT * Math.min(x1 - x0, y1 - y0);
  return (
    Math.min(frame.x1, x1) - Math.max(frame.x0, x0) > spare && Math.min(frame.y1, y1) - Math.max(frame.y0, y0) > spare
  );
}

/** The distance between two boxes, along the axis on which it is larger. */
function distance(one: Box, other: Box): number {
  const acrossX = Math.max(one.x0, other.x0) - Math.min(one.x1, other.x1);
  const acrossY = Math.max(one.y0, other.y0) - Math.min(one.y1, other.y1);
  return Math.max(acrossX, acrossY);
}

function union(one: Box, other: Box): Box {
  return {
    x0: Math.min(one.x0, other.x0),
    y0: Math.min(one.y0, other.y0),
    x1: Math.max(one.x1, other.x1),
    y1: Math.max(one.y1, other.y1),
  };
}

/** The boxes of words given by ranges: a part of each piece that they touch, with a width estimated from their letters. */
export function wordBoxes(pieces: readonly PlacedPiece[], ranges: readonly TextRange[]): readonly Box[] {
  return ranges.flatMap((range) =>
    pieces
      .filter((piece) => piece.start < range.end && piece.end > range.start)
      .map((piece) => partOf(piece, Math.max(0, range.start - piece.start), range.end - piece.start)),
  );
}

function partOf({ text, turn, rtl, box }: PlacedPiece, from: number, to: number): Box {
  const whole = drawnWidth(text);
  const before = whole === 0 ? 0 : drawnWidth(text.slice(0, from)) / whole;
  const after = whole === 0 ? 1 : drawnWidth(text.slice(0, to)) / whole;
  const [begin, finish] = rtl === (turn === 2 || turn === 3) ? [before, after] : [1 - after, 1 - before];
  const { x0, y0, x1, y1 } = box;
  return turn === 0 || turn === 2
    ? { ...box, x0: x0 + begin * (x1 - x0), x1: x0 + finish * (x1 - x0) }
    : { ...box, y0: y0 + begin * (y1 - y0), y1: y0 + finish * (y1 - y0) };
}
