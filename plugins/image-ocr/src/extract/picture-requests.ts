import type { PictureRequest, PictureUse } from '@kebab/core';
import type { ImageConfig } from '../image-config.ts';
import { pictureId } from './picture-id.ts';

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
