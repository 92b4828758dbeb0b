import { definePlugin } from '@kebab/core';
import { pdfConfigSchema } from './pdf-config.ts';

/** PDF: text by page in reading order, page rendering, and chunks that do not cross pages. */
export default definePlugin({
  config: pdfConfigSchema,
  settings: ({ section: { ocr, minPageChars, minValidRatio, password }, extractor }) => ({
    ocr,
    ocrFingerprint: extractor.ocrFingerprint,
    ocrPixels: extractor.ocrPixels,
    minPageChars,
    minValidRatio,
    password,
  }),
  contributes: {
    extractor: { pdf: async ({ config }) => (await import('./pdf-extractor.ts')).createPdfExtractor(config) },
    chunker: { 'pdf-page-v1': async () => (await import('./chunk/pdf-page-chunker.ts')).createPdfPageChunker() },
  },
});
