import { definePlugin } from '@kebab/core';
import * as z from 'zod';

/** Reads text in images in one more way. */
export default definePlugin({
  name: '{{name}}',
  version: '0.1.0',
  apiVersion: 1,
  kebab: '^1',
  config: z.strictObject({
    keyword: z.string().min(1).max(79).default('Description').describe('the text entries of a PNG that are read'),
  }),
  permissions: { fs: 'none', net: [], spawn: [] },
  contributes: {
    ocr: {
      '{{id}}': async ({ config }) => (await import('./ocr-engine.ts')).createEngine(config),
    },
  },
});
