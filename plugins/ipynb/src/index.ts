import { definePlugin } from '@kebab/plugin';

/** Jupyter notebooks: text, code and printed output, cited by cell. */
export default definePlugin({
  contributes: {
    extractor: { ipynb: async () => (await import('./ipynb-extractor.ts')).createIpynbExtractor() },
  },
});
