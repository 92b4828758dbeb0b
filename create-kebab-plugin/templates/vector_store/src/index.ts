import { definePlugin } from '@kebab/plugin';
import * as z from 'zod';

/** Keeps vectors in one more place. */
export default definePlugin({
  config: z.strictObject({
    folder: z
      .string()
      .default('')
      .describe('where the vectors lie; the folder that kebab keeps for this plugin when empty'),
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
