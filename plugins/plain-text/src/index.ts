import { definePlugin } from '@kebab/core';

/** Plain text, and source code of every language that no grammar plugin reads: paragraphs between blank lines. */
export default definePlugin({
  contributes: {
    extractor: {
      text: async () => (await import('./text-extractor.ts')).createTextExtractor(),
      'code-text': async () => (await import('./code-text-extractor.ts')).createCodeTextExtractor(),
    },
    chunker: {
      'text-paragraph-v1': async () => (await import('./text-paragraph-chunker.ts')).createTextParagraphChunker(),
      'code-text-paragraph-v1': async () => (await import('./code-window-chunker.ts')).createCodeWindowChunker(),
    },
  },
});
