import { definePlugin } from '@kebab/plugin';
import * as z from 'zod';

/** Reads files of one more format. */
export default definePlugin({
  config: z.strictObject({
    headings: z
      .boolean()
      .default(true)
      .describe('take heading lines for headings; without it everything is a paragraph'),
  }),
  contributes: {
    extractor: {
      '{{id}}': async ({ config }) => (await import('./extractor.ts')).createExtractor(config),
    },
  },
});
