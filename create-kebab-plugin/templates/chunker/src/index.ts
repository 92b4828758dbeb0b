import { definePlugin } from '@kebab/plugin';

/** Adds a chunker: splits documents into chunks. */
export default definePlugin({
  contributes: {
    chunker: {
      '{{id}}': async () => (await import('./chunker.ts')).createChunker(),
    },
  },
});
