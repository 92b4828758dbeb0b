import { definePlugin } from '@kebab/core';
import { qdrantConfigSchema } from './qdrant-config.ts';

/** Vectors on a Qdrant server, for those who have one or outgrow a machine. */
export default definePlugin({
  config: qdrantConfigSchema,
  settings: ({ section: { timeoutS, shardNumber, replicationFactor, ...server } }) => ({
    ...server,
    timeoutMs: Number(timeoutS) * 1000,
    shardNumber: shardNumber ?? undefined,
    replicationFactor: replicationFactor ?? undefined,
  }),
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
