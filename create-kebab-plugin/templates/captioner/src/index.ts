import { definePlugin } from '@kebab/plugin';
import * as z from 'zod';

/** Adds a captioner: describes pictures. */
export default definePlugin({
  config: z.strictObject({
    largeFrom: z.int().min(1).default(1_000_000).describe('an image with at least this many pixels is called large'),
  }),
  contributes: {
    captioner: {
      '{{id}}': async ({ config }) => (await import('./captioner.ts')).createCaptioner(config),
    },
  },
});
