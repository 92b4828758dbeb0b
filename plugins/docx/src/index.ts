import { definePlugin } from '@kebab/plugin';

/** Word documents, cited by section. */
export default definePlugin({
  contributes: {
    extractor: { docx: async () => (await import('./docx-extractor.ts')).createDocxExtractor() },
  },
});
