import { definePlugin } from '@kebab/plugin';
import * as z from 'zod';

/** Watches in one more way what is asked and answered. */
export default definePlugin({
  config: z.strictObject({
    forbidden: z
      .array(z.string().min(1))
      .default([])
      .describe('a question that contains one of these words is stopped'),
  }),
  contributes: {
    hook: {
      '{{id}}': async ({ config, log }) => (await import('./hook.ts')).createHook(config, log),
    },
  },
});
