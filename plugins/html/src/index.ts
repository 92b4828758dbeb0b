import { definePlugin } from '@kebab/plugin';

/** Web pages: their article without navigation, scripts and styles, cited by section. */
export default definePlugin({
  contributes: {
    extractor: { html: async () => (await import('./html-extractor.ts')).createHtmlExtractor() },
  },
});
