import { definePlugin } from '@kebab/plugin';

/** Cuts documents in one more way. */
export default definePlugin({
  contributes: {
    chunker: {
      '{{id}}': async () => (await import('./chunker.ts')).createChunker(),
    },
  },
});
