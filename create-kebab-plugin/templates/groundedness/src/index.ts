import { definePlugin } from '@kebab/core';
import * as z from 'zod';

/** Judges in one more way whether passages support claims. */
export default definePlugin({
  name: '{{name}}',
  version: '0.1.0',
  apiVersion: 1,
  kebab: '^1',
  config: z.strictObject({
    minWordChars: z.int().min(1).max(10).default(3).describe('shorter words say nothing about a claim'),
  }),
  permissions: { fs: 'none', net: [], spawn: [] },
  contributes: {
    groundedness: {
      '{{id}}': async ({ config }) => (await import('./checker.ts')).createChecker(config),
    },
  },
});
