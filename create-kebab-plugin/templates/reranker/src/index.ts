import { definePlugin } from '@kebab/plugin';
import * as z from 'zod';

/** Adds a reranker: reorders search results. */
export default definePlugin({
  config: z.strictObject({
    phraseBonus: z.number().min(0).max(1).default(0.3).describe('bonus if the words of the query occur in a row'),
  }),
  contributes: {
    reranker: {
      '{{id}}': async ({ config }) => (await import('./reranker.ts')).createReranker(config),
    },
  },
});
