import { definePlugin } from '@kebab/core';
import { qdrantConfigSchema } from './qdrant-config.ts';

/** Vectors on a Qdrant server, for users who have one or outgrow a single machine. */
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
      qdrant: async ({ config, knowledgeBase }) => {
        const { QdrantConnection } = await import('./qdrant-connection.ts');
        const { QdrantVectorStore } = await import('./qdrant-vector-store.ts');
        if (knowledgeBase === undefined)
          throw new TypeError('a vector store on a server needs the id of its knowledge base');
        return new QdrantVectorStore(await QdrantConnection.open(config), config, knowledgeBase);
      },
    },
  },
});
