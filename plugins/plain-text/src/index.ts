import { definePlugin } from '@kebab/core';

/** Plain text, and source code of every language without a grammar plugin, as paragraphs between blank lines. */
export default definePlugin({
  contributes: {
    extractor: {
      text: async () => (await import('./text-extractors.ts')).createTextExtractor(),
      'code-text': async () => (await import('./text-extractors.ts')).createCodeTextExtractor(),
    },
    chunker: {
      'text-paragraph-v1': async () => (await import('./text-chunkers.ts')).createTextParagraphChunker(),
      'code-text-paragraph-v1': async () => (await import('./text-chunkers.ts')).createCodeWindowChunker(),
    },
  },
});
