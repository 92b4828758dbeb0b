import { definePlugin } from '@kebab/plugin';

/** EPUB books, cited by chapter. */
export default definePlugin({
  contributes: {
    extractor: { epub: async () => (await import('./epub-extractor.ts')).createEpubExtractor() },
  },
});
