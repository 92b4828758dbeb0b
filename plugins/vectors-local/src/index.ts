import { definePlugin } from '@kebab/core';
import { localConfigSchema } from './local-config.ts';

/** The embedded vector store: exact search inside the SQLite file of the knowledge base, no server needed. */
export default definePlugin({
  name: '@kebab/plugin-vectors-local',
  version: '0.1.0',
  apiVersion: 1,
  kebab: '*',
  config: localConfigSchema,
  permissions: { fs: 'data-dir', net: [], spawn: [] },
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
