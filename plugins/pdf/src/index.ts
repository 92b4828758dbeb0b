import { definePlugin } from '@kebab/core';
import { pdfConfigSchema } from './pdf-config.ts';

/** PDF: text page by page in reading order, pages as pictures, chunks that stay on their page. */
export default definePlugin({
  name: '@kebab/plugin-pdf',
  version: '0.1.0',
  apiVersion: 1,
  kebab: '*',
  config: pdfConfigSchema,
  permissions: { fs: 'input-only', net: [], spawn: [] },
  contributes: {
    extractor: { pdf: async ({ config }) => (await import('./pdf-extractor.ts')).createPdfExtractor(config) },
    chunker: { 'pdf-page-v1': async () => (await import('./chunk/pdf-page-chunker.ts')).createPdfPageChunker() },
  },
});
