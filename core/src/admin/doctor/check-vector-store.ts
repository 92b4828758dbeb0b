import { checkOf, fine, unavailable } from './outcome.ts';

/** Whether the configured vector store opens. */
export const checkVectorStore = checkOf('vector_store_open', async (context) => {
  const { vectorStore } = context.resolution.config.storage;
  if (context.resolution.config.models.embedding.provider === 'none') return fine('disabled');
  if (!context.ports.vectorStores.names().some(({ id }) => id === vectorStore))
    return unavailable(context, 'storage.vector_store', vectorStore);
  const store = await context.ports.vectorStores.get(vectorStore, 'read');
  const collections = await store.listCollections();
  return fine(collections.length === 0 ? `${vectorStore} (no vectors yet)` : vectorStore);
});
