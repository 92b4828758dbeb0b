import { definePlugin } from '@kebab/core';
import * as z from 'zod';

/** Reads text in images in one more way. */
export default definePlugin({
  config: z.strictObject({
    keyword: z.string().min(1).max(79).default('Description').describe('the text entries of a PNG that are read'),
  }),
  contributes: {
    ocr: {
      '{{id}}': async ({ config }) => (await import('./ocr-engine.ts')).createEngine(config),
    },
  },
});
