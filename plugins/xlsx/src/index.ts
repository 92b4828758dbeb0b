import { definePlugin } from '@kebab/plugin';

/** Excel workbooks, cited by sheet and row. */
export default definePlugin({
  contributes: {
    extractor: { xlsx: async () => (await import('./xlsx-extractor.ts')).createXlsxExtractor() },
  },
});
