import { definePlugin } from '@kebab/plugin';

/** Tables of comma- or tab-separated values: each row with its column names, cited by its number. */
export default definePlugin({
  contributes: {
    extractor: { csv: async () => (await import('./csv-extractor.ts')).createCsvExtractor() },
  },
});
