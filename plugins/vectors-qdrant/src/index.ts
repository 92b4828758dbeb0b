import { definePlugin } from '@kebab/core';
import { qdrantConfigSchema } from './qdrant-config.ts';

/** Vectors and words on a Qdrant server, for users who have one or outgrow a single machine. */
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
    lexical_index: {
      qdrant: async ({ config, knowledgeBase, documents }) => {
        const { QdrantConnection } = await import('./qdrant-connection.ts');
        const { QdrantCollections } = await import('./qdrant-collections.ts');
        const { QdrantLexicalIndex } = await import('./words/qdrant-lexical-index.ts');
        if (knowledgeBase === undefined || documents === undefined)
          throw new TypeError('an index on a server needs the id and the documents of its knowledge base');
        const connection = await QdrantConnection.open(config);
        const collections = new QdrantCollections(connection, config, knowledgeBase);
        return new QdrantLexicalIndex({ connection, collections, documents });
      },
    },
  },
});
