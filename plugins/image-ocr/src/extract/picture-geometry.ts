import type {
  OcrText,
  OcrRegion,
  TextRange,
  PictureRequest,
  PictureUse,
  ExtractInput,
  PictureReading,
} from '@kebab/core';
import type { ImageConfig } from '../image-config.ts';

/** A size in whole pixels. */
export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

/** The size of a picture scaled down so that its longer edge is at most `maxPixels`; never enlarged. */
export function fittedSize({ width, height }: PixelSize, maxPixels: number): PixelSize {
  const scale = Math.min(1, maxPixels / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** Converts the boxes of a text to pixels of the image; the picture that was read is `scale` times as large. */
export function inImagePixels(
  ocr: OcrText,
  scale: number,
  size: { readonly width: number; readonly height: number },
): OcrText {
  const regions = ocr.regions.map(({ bbox: [x, y, w, h], text, confidence }) => {
    const x0 = Math.min(Math.floor(x / scale), size.width - 1);
    const y0 = Math.min(Math.floor(y / scale), size.height - 1);
    const x1 = Math.min(Math.ceil((x + w) / scale), size.width);
    const y1 = Math.min(Math.ceil((y + h) / scale), size.height);
    return { bbox: [x0, y0, Math.max(1, x1 - x0), Math.max(1, y1 - y0)] as const, text, confidence };
  });
  return { ...ocr, regions };
}

/** A rectangle in whole pixels of the upright image. */
export interface PixelBox {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/**
 * The smallest box around the regions that a range of their text touches; null if it touches none. The text is that of the regions in
 * order, one per line, beginning at `start`.
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

/** The requests for an image: the text of every page, and a caption of the first one. */
export function pictureRequests(count: number, { ocr, caption }: ImageConfig): readonly PictureRequest[] {
  return Array.from({ length: count }, (_, at) => {
    const uses: PictureUse[] = [
      ...(ocr === null ? [] : ['ocr' as const]),
      ...(caption === null || at > 0 ? [] : ['caption' as const]),
    ];
    return { id: pictureId(at, count), page: count === 1 ? null : at + 1, uses };
  }).filter(({ uses }) => uses.length > 0);
}

/** The id of the picture of a single-picture file, and the prefix of those of a multi-page file. */
const WHOLE = 'image';
const PAGE = 'page=';

/** The id of a picture; `at` counts from 0. */
export function pictureId(at: number, count: number): string {
  return count === 1 ? WHOLE : `${PAGE}${at + 1}`;
}

/** The index of a picture by its id; null if there is no such picture. */
export function pictureAt(id: string, count: number): number | null {
  const at = id === WHOLE ? 0 : Number(id.startsWith(PAGE) ? id.slice(PAGE.length) : NaN) - 1;
  return Number.isInteger(at) && at >= 0 && at < count && pictureId(at, count) === id ? at : null;
}

/** The reading of the picture at an index. */
export function pictureReading(
  { readings }: Pick<ExtractInput, 'readings'>,
  at: number,
  count: number,
): PictureReading {
  return readings?.get(pictureId(at, count)) ?? { ocr: null, caption: null };
}
