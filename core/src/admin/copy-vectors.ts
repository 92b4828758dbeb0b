import type { AbortOptions } from '../contracts/contribution.ts';
import type { DocumentRow, DocumentStore, DocumentWriter } from '../contracts/document-store.ts';
import type { VectorRecord, VectorStore } from '../contracts/vector-store.ts';
import type { DocumentId } from '../domain/ids.ts';
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
  const rows = new Map<DocumentId, DocumentRow>();
  let group: VectorRecord[] = [];
  let copied = 0;
  const flush = async (dimensions: number): Promise<void> => {
    throwIfCancelled(options.signal, 'vectors copy');
    if (copied === 0) await target.ensureCollection(name, dimensions, options);
    const unknown = new Set(group.map(({ docId }) => docId).filter((id) => !rows.has(id)));
    for (const row of await documents.getDocuments([...unknown])) rows.set(row.docId, row);
    await target.upsert(
      name,
      group.map((record) => withPayload(record, rows)),
      options,
    );
    copied += group.length;
    group = [];
  };
  for await (const record of source.records(name, options)) {
    group.push(record);
    if (group.length >= GROUP) await flush(record.vector.length);
  }
  const [rest] = group;
  if (rest !== undefined) await flush(rest.vector.length);
  return copied;
}

/** A store that filters by itself needs the document; others ignore it. */
function withPayload(record: VectorRecord, rows: ReadonlyMap<DocumentId, DocumentRow>): VectorRecord {
  const row = rows.get(record.docId);
  return row === undefined ? record : { ...record, payload: vectorPayload(row) };
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
