import { definePlugin } from '@kebab/core';
import * as z from 'zod';

/** Orders what was found in one more way. */
export default definePlugin({
  name: '{{name}}',
  version: '0.1.0',
  apiVersion: 1,
  kebab: '^1',
  config: z.strictObject({
    phraseBonus: z.number().min(0).max(1).default(0.3).describe('what the words of the query in a row are worth'),
  }),
  permissions: { fs: 'none', net: [], spawn: [] },
  contributes: {
    reranker: {
      '{{id}}': async ({ config }) => (await import('./reranker.ts')).createReranker(config),
    },
  },
});
