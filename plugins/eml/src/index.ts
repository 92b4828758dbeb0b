import { definePlugin } from '@kebab/plugin';

/** E-mail messages, cited by section. */
export default definePlugin({
  contributes: {
    extractor: { eml: async () => (await import('./eml-extractor.ts')).createEmlExtractor() },
  },
});
