import type { OcrRegion, TextRange } from '@kebab/core';

/** A rectangle in whole pixels of the upright image. */
export interface PixelBox {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/**
 * The smallest box around the regions that a range of their text touches; null when it touches none. The text is that of the
 * regions in order, one a line, beginning at `start`.
 */
export function boxAround(regions: readonly OcrRegion[], start: number, range: TextRange): PixelBox | null {
  let at = start;
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { bbox, text } of regions) {
    const end = at + text.length;
    if (at < range.end && range.start < end) {
      const [x, y, w, h] = bbox;
      x0 = Math.min(x0, x);
      y0 = Math.min(y0, y);
      x1 = Math.max(x1, x + w);
      y1 = Math.max(y1, y + h);
    }
    at = end + 1;
  }
  return x1 < x0 ? null : { x: x0, y: y0, w: x1 - x0, h: y1 - y0 };
}
