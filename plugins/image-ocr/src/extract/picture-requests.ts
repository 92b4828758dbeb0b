import type { PictureRequest, PictureUse, ExtractInput, PictureReading } from '@kebab/core';
import type { ImageConfig } from '../image-config.ts';

/** What is to be read in an image: the text of every page, and what the first one shows. */
export function pictureRequests(count: number, { ocr, caption }: ImageConfig): readonly PictureRequest[] {
  return Array.from({ length: count }, (_, at) => {
    const uses: PictureUse[] = [
      ...(ocr === null ? [] : ['ocr' as const]),
      ...(caption === null || at > 0 ? [] : ['caption' as const]),
    ];
    return { id: pictureId(at, count), page: count === 1 ? null : at + 1, uses };
  }).filter(({ uses }) => uses.length > 0);
}

/** The id of the picture of a file that has one, and the beginning of those of a file with pages. */
const WHOLE = 'image';
const PAGE = 'page=';

/** The id of a picture; `at` counts from 0. */
export function pictureId(at: number, count: number): string {
  return count === 1 ? WHOLE : `${PAGE}${at + 1}`;
}

/** The position of a picture by its id; null when there is no such picture. */
export function pictureAt(id: string, count: number): number | null {
  const at = id === WHOLE ? 0 : Number(id.startsWith(PAGE) ? id.slice(PAGE.length) : NaN) - 1;
  return Number.isInteger(at) && at >= 0 && at < count && pictureId(at, count) === id ? at : null;
}

/** What was read in the picture at a position. */
export function pictureReading(
  { readings }: Pick<ExtractInput, 'readings'>,
  at: number,
  count: number,
): PictureReading {
  return readings?.get(pictureId(at, count)) ?? { ocr: null, caption: null };
}
