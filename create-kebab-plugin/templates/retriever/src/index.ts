import { definePlugin } from '@kebab/plugin';
import * as z from 'zod';

/** Adds a retriever: finds chunks for a query. */
export default definePlugin({
  config: z.strictObject({
    wholeWords: z.boolean().default(true).describe('match whole words only'),
  }),
  contributes: {
    retriever: {
      '{{id}}': async ({ config, documents }) => {
        if (documents === undefined) throw new Error('a retriever needs the documents');
        return (await import('./retriever.ts')).createRetriever(config, documents);
      },
    },
  },
});
