import { definePlugin } from '@kebab/plugin';

/** PowerPoint presentations, cited by slide. */
export default definePlugin({
  contributes: {
    extractor: { pptx: async () => (await import('./pptx-extractor.ts')).createPptxExtractor() },
  },
});
