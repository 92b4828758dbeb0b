import { definePlugin } from '@kebab/core';
import * as z from 'zod';

/** Watches in one more way what is asked and answered. */
export default definePlugin({
  name: '{{name}}',
  version: '0.1.0',
  apiVersion: 1,
  kebab: '^1',
  config: z.strictObject({
    forbidden: z.array(z.string().min(1)).default([]).describe('a question with one of these words is stopped'),
  }),
  permissions: { fs: 'none', net: [], spawn: [] },
  contributes: {
    hook: {
      '{{id}}': async ({ config, log }) => (await import('./hook.ts')).createHook(config, log),
    },
  },
});
