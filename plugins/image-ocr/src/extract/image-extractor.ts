import { throwIfCancelled, type Extractor } from '@kebab/core';
import type { ImageConfig } from '../image-config.ts';
import { imageDocument } from './image-document.ts';
import { openImage } from './open-image.ts';
import { renderPicture } from './render-picture.ts';

const VERSION = '1';

/**
 * Makes the extractor `image`: PNG, JPEG, WebP, GIF, TIFF and BMP, told apart by their bytes. What is read in them comes from
 * the OCR engine and the captioner of the host; without these an image is found by its name.
 */
export function createImageExtractor(config: ImageConfig): Extractor {
  const { ocr, caption, ocrPixels } = config;
  return {
    id: 'image',
    version: VERSION,
    match: { media: ['image'] },
    isolation: 'worker',
    fingerprint: () =>
      `image@${VERSION}+${JSON.stringify({ ocr, caption, ocrPixels: ocr === null ? null : ocrPixels })}`,
    supports: (media) => media.kind === 'image',
    parserVersion: () => 'image-v1',
    chunkerId: () => 'image-text-v1',
    extract: async (input, { signal }) => {
      throwIfCancelled(signal, 'extract');
      return imageDocument(await openImage(input), input, config);
    },
    render: async (input, request, { signal }) => {
      throwIfCancelled(signal, 'render');
      return renderPicture({ image: await openImage(input), input, ocrPixels }, request);
    },
  };
}
