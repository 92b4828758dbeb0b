import { definePlugin } from '@kebab/plugin';
import * as z from 'zod';

/** Adds an embedder: turns texts into vectors. */
export default definePlugin({
  config: z.strictObject({
    dimensions: z.int().min(16).max(4096).default(256).describe('length of a vector'),
  }),
  contributes: {
    embedder: {
      '{{id}}': async ({ config }) => (await import('./embedder.ts')).createEmbedder(config),
    },
  },
});
