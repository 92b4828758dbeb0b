import type { AbortOptions } from '../contracts/contribution.ts';
import type { DocumentStore, DocumentWriter } from '../contracts/document-store.ts';
import type { Ports } from '../ports.ts';

/** The store that lies in the database itself, and goes with it. */
const LOCAL = 'local';

/** Removes every record of a vector, so that all documents are pending; returns how many there were. */
export async function forgetVectors(store: DocumentStore, writer: DocumentWriter): Promise<number> {
  const collections = await store.vectors.collections();
  return collections.reduce((sum, { collection }) => sum + writer.vectors.forgetCollection(collection), 0);
}

/**
 * Drops every collection of the configured vector store. Without a database there is nothing to drop beside it. Throws
 * `vector_store_unreachable` when a server cannot be asked, since its vectors would stay behind unnoticed.
 */
export async function dropCollections(
  { vectorStores, config }: Pick<Ports, 'vectorStores' | 'config'>,
  { hasDatabase, ...options }: { readonly hasDatabase: boolean } & AbortOptions,
): Promise<void> {
  const { vectorStore } = config.storage;
  if (!vectorStores.names().some(({ id }) => id === vectorStore)) return;
  if (vectorStore === LOCAL && !hasDatabase) return;
  const vectors = await vectorStores.get(vectorStore, 'write');
  for (const name of await vectors.listCollections(options)) await vectors.dropCollection(name, options);
}

/** Removes collections that no embedder made, from the records and from the configured vector store. Errors as above. */
export async function dropOrphans(
  collections: readonly string[],
  writer: DocumentWriter,
  { vectorStores, config }: Pick<Ports, 'vectorStores' | 'config'>,
  options: AbortOptions,
): Promise<void> {
  if (collections.length === 0) return;
  const vectors = await vectorStores.get(config.storage.vectorStore, 'write');
  const there = new Set(await vectors.listCollections(options));
  for (const name of collections) {
    if (there.has(name)) await vectors.dropCollection(name, options);
    writer.vectors.forgetCollection(name);
  }
}
