import { definePlugin } from '@kebab/core';

/** Markdown: front matter, blocks with exact offsets, chunks by heading. */
export default definePlugin({
  contributes: {
    extractor: { md: async () => (await import('./md-extractor.ts')).createMarkdownExtractor() },
    chunker: { 'md-heading-v1': async () => (await import('./chunk/md-heading-chunker.ts')).createHeadingChunker() },
  },
});
