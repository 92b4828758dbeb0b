import { definePlugin } from '@kebab/plugin';
import * as z from 'zod';

/** Adds an extractor: reads files of a format. */
export default definePlugin({
  config: z.strictObject({
    headings: z
      .boolean()
      .default(true)
      .describe('treat heading lines as headings; otherwise everything is a paragraph'),
  }),
  contributes: {
    extractor: {
      '{{id}}': async ({ config }) => (await import('./extractor.ts')).createExtractor(config),
    },
  },
});
