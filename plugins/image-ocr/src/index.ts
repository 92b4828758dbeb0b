import { definePlugin } from '@kebab/core';
import { imageConfigSchema } from './image-config.ts';

/** Images: what OCR and captions read in them, by region, and the OCR engine Tesseract. */
export default definePlugin({
  name: '@kebab/plugin-image-ocr',
  version: '0.1.0',
  apiVersion: 1,
  kebab: '*',
  config: imageConfigSchema,
  permissions: { fs: 'input-only', net: [], spawn: [] },
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
