import { definePlugin } from '@kebab/core';
import { localConfigSchema } from './local-config.ts';

/** The embedded vector store: exact search inside the SQLite file of the knowledge base, no server needed. */
export default definePlugin({
  config: localConfigSchema,
  settings: ({ vector_store: { file, readonly } }) => ({ file, readonly }),
  contributes: {
    vector_store: {
      local: async ({ config }) => {
        const { openVectorFile } = await import('./database/open-vector-file.ts');
        const { LocalVectorStore } = await import('./local-vector-store.ts');
        return new LocalVectorStore(await openVectorFile(config), config);
      },
    },
  },
});
