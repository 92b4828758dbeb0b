import { definePlugin } from '@kebab/plugin';
import * as z from 'zod';

/** Books in EPUB, chapter by chapter. */
export default definePlugin({
  config: z.strictObject({
    maxMegabytes: z.int().min(1).max(1000).default(100).describe('larger books, unpacked, are refused'),
  }),
  contributes: {
    extractor: {
      epub: async ({ config }) => (await import('./epub-extractor.ts')).createEpubExtractor(config),
    },
  },
});
