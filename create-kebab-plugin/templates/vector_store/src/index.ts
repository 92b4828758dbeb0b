import path from 'node:path';
import { definePlugin } from '@kebab/core';
import * as z from 'zod';

/** Keeps vectors in one more place. */
export default definePlugin({
  config: z.strictObject({
    folder: z.string().default('').describe('where the vectors lie; a temporary folder when empty'),
  }),
  contributes: {
    vector_store: {
      '{{id}}': async ({ config, tmpDir }) => {
        const { FileVectorStore } = await import('./vector-store.ts');
        return new FileVectorStore(config.folder === '' ? path.join(tmpDir, '{{id}}') : config.folder);
      },
    },
  },
});
