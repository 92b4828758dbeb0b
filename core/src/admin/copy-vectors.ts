import type { AbortOptions } from '../contracts/contribution.ts';
import type { DocumentStore, DocumentWriter } from '../contracts/document-store.ts';
import type { VectorRecord, VectorStore } from '../contracts/vector-store.ts';
import type { EmbeddingId } from '../domain/ids.ts';
import { throwIfCancelled } from '../errors/abort.ts';
import { invalidInput } from '../errors/invalid-input.ts';
import type { Ports } from '../ports.ts';
import { vectorPayload } from '../embedding/open-embedding.ts';
import type { VectorsCopied } from '../wire/index.ts';

/** The vector stores, by id. */
export interface CopyVectorsRequest {
  readonly from: string;
  readonly to: string;
}

const GROUP = 256;

/**
 * Copies every known collection of the knowledge base from one vector store to another, so that nothing has to be embedded again.
 * Idempotent. Errors: `invalid_input` for equal stores, `config_invalid` for an unknown one, `vector_store_unreachable`, `cancelled`.
 */
export async function copyVectors(
  ports: Pick<Ports, 'documents' | 'vectorStores'>,
  { from, to }: CopyVectorsRequest,
  options: AbortOptions = {},
): Promise<VectorsCopied> {
  if (from === to) throw invalidInput(`vectors cannot be copied from ${from} to itself`, { field: '--to', value: to });
  const documents = await ports.documents.read();
  const source = await ports.vectorStores.get(from, 'read');
  const target = await ports.vectorStores.get(to, 'write');
  const present = new Set(await source.listCollections(options));
  const collections = (await documents.vectors.collections()).filter(({ collection }) => present.has(collection));
  const copied: { collection: string; vectors: number }[] = [];
  for (const { collection } of collections)
    copied.push({ collection, vectors: await copyCollection(collection, { source, target, documents, options }) });
  return { schema_version: 'vectors_copied.v1', from, to, collections: copied };
}

interface CopyTools {
  readonly source: VectorStore;
  readonly target: VectorStore;
  readonly documents: DocumentStore;
  readonly options: AbortOptions;
}

async function copyCollection(name: string, { source, target, documents, options }: CopyTools): Promise<number> {
  let copied = 0;
  for await (const group of recordGroups(source, name, options)) {
    throwIfCancelled(options.signal, 'vectors copy');
    if (copied === 0) await target.ensureCollection(name, group[0]?.vector.length ?? 0, options);
    await target.upsert(name, await withPayloads(group, documents), options);
    copied += group.length;
  }
  return copied;
}

/** The records of a collection, or those with some ids, some at a time. */
export async function* recordGroups(
  vectors: VectorStore,
  collection: string,
  { wanted, ...options }: { readonly wanted?: ReadonlySet<EmbeddingId> } & AbortOptions,
): AsyncGenerator<readonly VectorRecord[], void, undefined> {
  let group: VectorRecord[] = [];
  for await (const record of vectors.records(collection, options)) {
    if (wanted?.has(record.embeddingId) === false) continue;
    group.push(record);
    if (group.length < GROUP) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

/** Adds the documents of records, which a store needs that filters by itself; others ignore them. */
export async function withPayloads(
  records: readonly VectorRecord[],
  documents: Pick<DocumentStore, 'getDocuments'>,
): Promise<readonly VectorRecord[]> {
  const rows = await documents.getDocuments([...new Set(records.map(({ docId }) => docId))]);
  const payloads = new Map(rows.map((row) => [row.docId, vectorPayload(row)]));
  return records.map((record) => {
    const payload = payloads.get(record.docId);
    return payload === undefined ? record : { ...record, payload };
  });
}

/** The store inside the database itself, which is removed with it. */
const LOCAL = 'local';

/** Removes every record of a vector, so that all documents are pending; returns their number. */
export async function forgetVectors(store: DocumentStore, writer: DocumentWriter): Promise<number> {
  const collections = await store.vectors.collections();
  let forgotten = 0;
  for (const { collection } of collections) forgotten += await writer.vectors.forgetCollection(collection);
  return forgotten;
}

/**
 * Drops every collection of the configured vector store. Nothing is written into a database that is removed, since its disk may be full.
 * Throws `vector_store_unreachable` when a server does not answer, since its vectors would be left behind unnoticed.
 */
export async function dropCollections(
  { vectorStores, config }: Pick<Ports, 'vectorStores' | 'config'>,
  { keepsDatabase, ...options }: { readonly keepsDatabase: boolean } & AbortOptions,
): Promise<void> {
  const { vectorStore } = config.storage;
  if (!vectorStores.names().some(({ id }) => id === vectorStore)) return;
  if (vectorStore === LOCAL && !keepsDatabase) return;
  const vectors = await vectorStores.get(vectorStore, 'write');
  for (const name of await vectors.listCollections(options)) await vectors.dropCollection(name, options);
}

/** Removes collections that no active embedder created, from the records and from the configured vector store. Errors as above. */
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
    await writer.vectors.forgetCollection(name);
  }
}
