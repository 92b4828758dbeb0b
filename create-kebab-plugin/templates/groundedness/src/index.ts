import { definePlugin } from '@kebab/plugin';
import * as z from 'zod';

/** Adds a groundedness checker: judges whether passages support claims. */
export default definePlugin({
  config: z.strictObject({
    minWordChars: z.int().min(1).max(10).default(3).describe('shorter words are ignored when a claim is checked'),
  }),
  contributes: {
    groundedness: {
      '{{id}}': async ({ config }) => (await import('./checker.ts')).createChecker(config),
    },
  },
});
