import { definePlugin } from '@kebab/plugin';
import * as z from 'zod';

/** Adds a hook: observes questions and answers. */
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
