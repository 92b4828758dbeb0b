import { definePlugin } from '@kebab/core';
import * as z from 'zod';

/** Finds chunks in one more way. */
export default definePlugin({
  name: '{{name}}',
  version: '0.1.0',
  apiVersion: 1,
  kebab: '^1',
  config: z.strictObject({
    wholeWords: z.boolean().default(true).describe('find words as a whole, not inside other words'),
  }),
  permissions: { fs: 'none', net: [], spawn: [] },
  contributes: {
    retriever: {
      '{{id}}': async ({ config, documents }) => {
        if (documents === undefined) throw new Error('a retriever needs the documents');
        return (await import('./retriever.ts')).createRetriever(config, documents);
      },
    },
  },
});
