import { definePlugin } from '@kebab/core';
import { qdrantConfigSchema } from './qdrant-config.ts';

/** Vectors on a Qdrant server, for those who have one or outgrow a machine. */
export default definePlugin({
  name: '@kebab/plugin-vectors-qdrant',
  version: '0.1.0',
  apiVersion: 1,
  kebab: '*',
  config: qdrantConfigSchema,
  permissions: { fs: 'none', net: ['*'], spawn: [] },
  contributes: {
    vector_store: {
      qdrant: async ({ config }) => {
        const { QdrantConnection } = await import('./qdrant-connection.ts');
        const { QdrantVectorStore } = await import('./qdrant-vector-store.ts');
        return new QdrantVectorStore(await QdrantConnection.open(config), config);
      },
    },
  },
});
