import type { OcrText, TextRange } from '@kebab/core';
import { cleanText } from '../layout/clean-text.ts';
import type { Box, PlacedLine } from '../layout/text-run.ts';

/**
 * The boxes around the lines that a range of a page's text touches: one for each run of lines that stand below or beside
 * each other, so that a range over two columns has two.
 */
export function boxesOfLines(lines: readonly PlacedLine[], { start, end }: TextRange): readonly Box[] {
  const boxes: Box[] = [];
  for (const line of lines) {
    if (line.start >= end || line.end <= start) continue;
    const last = boxes.at(-1);
    if (last !== undefined && isNextTo(last, line.box)) boxes[boxes.length - 1] = union(last, line.box);
    else boxes.push(line.box);
  }
  return boxes;
}

/** The lines that OCR read on a page, as parts of the text that replaced the page's own. */
export function linesOfOcr({ regions }: OcrText): readonly PlacedLine[] {
  let start = 0;
  return regions.map(({ text, bbox: [x, y, w, h] }) => {
    const line = { start, end: start + cleanText(text).trimEnd().length, box: { x0: x, y0: y, x1: x + w, y1: y + h } };
    start = line.end + 1;
    return line;
  });
}

/** Lines of one column overlap across it, and stand at most about two lines apart. */
function isNextTo(one: Box, other: Box): boolean {
  const overlapX = Math.min(one.x1, other.x1) - Math.max(one.x0, other.x0);
  const overlapY = Math.min(one.y1, other.y1) - Math.max(one.y0, other.y0);
  const reach = 2 * Math.min(other.x1 - other.x0, other.y1 - other.y0);
  return (overlapX > 0 && overlapY > -reach) || (overlapY > 0 && overlapX > -reach);
}

function union(one: Box, other: Box): Box {
  return {
    x0: Math.min(one.x0, other.x0),
    y0: Math.min(one.y0, other.y0),
    x1: Math.max(one.x1, other.x1),
    y1: Math.max(one.y1, other.y1),
  };
}
