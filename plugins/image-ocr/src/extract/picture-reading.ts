import type { ExtractInput, PictureReading } from '@kebab/core';
import { pictureId } from './picture-id.ts';

/** What was read in the picture at a position. */
export function pictureReading(
  { readings }: Pick<ExtractInput, 'readings'>,
  at: number,
  count: number,
): PictureReading {
  return readings?.get(pictureId(at, count)) ?? { ocr: null, caption: null };
}
