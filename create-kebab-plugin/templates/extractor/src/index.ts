import { definePlugin } from '@kebab/core';
import * as z from 'zod';

/** Reads files of one more format. */
export default definePlugin({
  name: '{{name}}',
  version: '0.1.0',
  apiVersion: 1,
  kebab: '^1',
  config: z.strictObject({
    headings: z
      .boolean()
      .default(true)
      .describe('take heading lines for headings; without it everything is a paragraph'),
  }),
  permissions: { fs: 'none', net: [], spawn: [] },
  contributes: {
    extractor: {
      '{{id}}': async ({ config }) => (await import('./extractor.ts')).createExtractor(config),
    },
  },
});
