import { definePlugin } from '@kebab/core';
import * as z from 'zod';

/** Books in EPUB, chapter by chapter. */
export default definePlugin({
  name: 'kebab-plugin-epub',
  version: '0.1.0',
  apiVersion: 1,
  kebab: '^1',
  config: z.strictObject({
    maxMegabytes: z.int().min(1).max(1000).default(100).describe('larger books, unpacked, are refused'),
  }),
  permissions: { fs: 'none', net: [], spawn: [] },
  contributes: {
    extractor: {
      epub: async ({ config }) => (await import('./epub-extractor.ts')).createEpubExtractor(config),
    },
  },
});
