import { definePlugin } from '@kebab/core';

/** Cuts documents in one more way. */
export default definePlugin({
  name: '{{name}}',
  version: '0.1.0',
  apiVersion: 1,
  kebab: '^1',
  permissions: { fs: 'none', net: [], spawn: [] },
  contributes: {
    chunker: {
      '{{id}}': async () => (await import('./chunker.ts')).createChunker(),
    },
  },
});
