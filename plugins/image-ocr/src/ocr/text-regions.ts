import type { OcrRegion } from '@kebab/core';
import type { Box, PageReading, ReadLine } from './page-reading.ts';

/** In a reading that is unsure of itself as a whole, lines below `NOISE` are no text but something that looked like it. */
const UNSURE = 60;
const NOISE = 30;
const MEANS_SOMETHING = /[\p{L}\p{N}]/u;

/** How boxes of a reading become boxes of the picture. */
export interface RegionPlace {
  readonly width: number;
  readonly height: number;
  /** From the coordinates of the reading to those of the picture. */
  readonly toPicture: (box: Box) => Box;
}

/**
 * The lines of a reading as regions in reading order: column by column; in a column boxes whose vertical centres lie within
 * half a line height are one line, left to right. Noise is left out.
 */
export function textRegions({ columns, confidence }: PageReading, place: RegionPlace): readonly OcrRegion[] {
  const least = confidence < UNSURE ? NOISE : 0;
  const isText = (line: ReadLine): boolean => line.confidence >= least && MEANS_SOMETHING.test(line.text);
  return columns.flatMap((lines) => rowsOf(lines.filter(isText)).map((row) => regionOf(row, place)));
}

function rowsOf(lines: readonly ReadLine[]): readonly (readonly ReadLine[])[] {
  if (runsUpright(lines)) return lines.map((line) => [line]);
  const rows: ReadLine[][] = [];
  for (const line of lines.toSorted((a, b) => centre(a) - centre(b))) {
    const row = rows.at(-1);
    const first = row?.[0];
    if (row !== undefined && first !== undefined && sharesRow(first, line)) row.push(line);
    else rows.push([line]);
  }
  return rows.map((row) => row.toSorted((a, b) => a.box.x0 - b.box.x0));
}

/** Lines that run up or down stand side by side, and come in their order. */
function runsUpright(lines: readonly ReadLine[]): boolean {
  const tall = lines.filter(({ box }) => box.y1 - box.y0 > box.x1 - box.x0);
  return tall.length > lines.length / 2;
}

function sharesRow(a: ReadLine, b: ReadLine): boolean {
  const lineHeight = Math.min(a.box.y1 - a.box.y0, b.box.y1 - b.box.y0);
  return Math.abs(centre(a) - centre(b)) <= lineHeight / 2;
}

function centre({ box }: ReadLine): number {
  return (box.y0 + box.y1) / 2;
}

function regionOf(row: readonly ReadLine[], { width, height, toPicture }: RegionPlace): OcrRegion {
  const boxes = row.map(({ box }) => toPicture(box));
  const x0 = clamp(Math.floor(Math.min(...boxes.map((box) => box.x0))), width - 1);
  const y0 = clamp(Math.floor(Math.min(...boxes.map((box) => box.y0))), height - 1);
  const x1 = clamp(Math.ceil(Math.max(...boxes.map((box) => box.x1))), width);
  const y1 = clamp(Math.ceil(Math.max(...boxes.map((box) => box.y1))), height);
  return {
    bbox: [x0, y0, Math.max(1, x1 - x0), Math.max(1, y1 - y0)],
    text: row.map(({ text }) => text.replaceAll(/\s+/g, ' ').trim()).join(' '),
    confidence: mean(row.map(({ confidence }) => confidence)) / 100,
  };
}

function clamp(value: number, most: number): number {
  return Math.min(Math.max(0, value), most);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
