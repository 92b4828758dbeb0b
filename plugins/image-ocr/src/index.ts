import path from 'node:path';
import { definePlugin } from '@kebab/core';
import { imageConfigSchema } from './image-config.ts';

/** Images: their text from OCR and captions, by region, and the OCR engine Tesseract. */
export default definePlugin({
  config: imageConfigSchema,
  settings: ({ extractor, ocr }) => ({
    ocr: extractor.ocrFingerprint,
    caption: extractor.captionFingerprint,
    ocrPixels: extractor.ocrPixels,
    languages: ocr.languages,
    timeoutMs: ocr.timeoutMs,
    workers: ocr.workers,
    dataDir: path.join(ocr.modelDir, 'tesseract'),
  }),
  contributes: {
    extractor: {
      image: async ({ config }) => (await import('./extract/image-extractor.ts')).createImageExtractor(config),
    },
    chunker: {
      'image-text-v1': async () => (await import('./chunk/image-text-chunker.ts')).createImageTextChunker(),
    },
    ocr: {
      tesseract: async ({ config, tmpDir }) => {
        const { TesseractEngine } = await import('./ocr/tesseract-engine.ts');
        return new TesseractEngine(config, tmpDir);
      },
    },
  },
});
