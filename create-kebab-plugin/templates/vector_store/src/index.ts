import { definePlugin } from '@kebab/plugin';
import * as z from 'zod';

/** Adds a vector store. */
export default definePlugin({
  config: z.strictObject({
    folder: z
      .string()
      .default('')
      .describe('folder of the vectors; if empty, the data folder that kebab gives this plugin'),
  }),
  contributes: {
    vector_store: {
      '{{id}}': async ({ config, dataDir, tmpDir }) => {
        const { FileVectorStore } = await import('./vector-store.ts');
        return new FileVectorStore(config.folder === '' ? (dataDir ?? tmpDir) : config.folder);
      },
    },
  },
});
