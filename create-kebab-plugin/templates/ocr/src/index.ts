import { definePlugin } from '@kebab/plugin';
import * as z from 'zod';

/** Adds an OCR engine: reads text in images. */
export default definePlugin({
  config: z.strictObject({
    threshold: z.number().int().min(1).max(255).default(128).describe('squares darker than this are 1'),
  }),
  contributes: {
    ocr: {
      '{{id}}': async ({ config }) => (await import('./ocr-engine.ts')).createEngine(config),
    },
  },
});
