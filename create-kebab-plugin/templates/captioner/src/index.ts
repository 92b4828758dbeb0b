import { definePlugin } from '@kebab/core';
import * as z from 'zod';

/** Says in one more way what pictures show. */
export default definePlugin({
  name: '{{name}}',
  version: '0.1.0',
  apiVersion: 1,
  kebab: '^1',
  config: z.strictObject({
    largeFrom: z.int().min(1).default(1_000_000).describe('a picture of as many pixels is called large'),
  }),
  permissions: { fs: 'none', net: [], spawn: [] },
  contributes: {
    captioner: {
      '{{id}}': async ({ config }) => (await import('./captioner.ts')).createCaptioner(config),
    },
  },
});
