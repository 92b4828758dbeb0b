import type { AbortOptions } from '../../contracts/contribution.ts';
import type { DocumentStore, DocumentWriter } from '../../contracts/document-store.ts';
import type { EmbeddingId } from '../../domain/ids.ts';
import type { ReadyEmbedding } from '../../embedding/open-embedding.ts';

const PAGE = 1000;

/** What reconciling takes. */
export interface ReconcileTools {
  readonly store: Pick<DocumentStore, 'vectors'>;
  readonly writer: Pick<DocumentWriter, 'vectors'>;
  readonly embedding: Pick<ReadyEmbedding, 'vectors' | 'collection' | 'embedder'>;
}

/**
 * Makes the vector store and the ledger agree, whatever happened in between: deletes vectors whose chunks are gone, takes
 * vectors that the store has lost back to pending, and removes those that no record knows. When both count the same nothing
 * is read vector by vector. A store that was configured anew is one that has lost them all.
 */
export async function reconcileVectors(tools: ReconcileTools, options: AbortOptions = {}): Promise<void> {
  const { store, embedding } = tools;
  const { vectors, collection, embedder } = embedding;
  await vectors.ensureCollection(collection, embedder.dimensions, options);
  await buryTombstones(tools, options);
  const record = (await store.vectors.collections()).find((one) => one.collection === collection);
  const expected = record?.committed ?? 0;
  if ((record?.pending ?? 0) === 0 && (await vectors.count(collection, options)) === expected) return;
  await compareIds(tools, options);
}

/** Deletes vectors whose chunks are gone, in every collection that is still there. */
async function buryTombstones({ store, writer, embedding }: ReconcileTools, options: AbortOptions): Promise<void> {
  const { vectors } = embedding;
  const dead = (await store.vectors.collections()).filter((one) => one.tombstones > 0);
  if (dead.length === 0) return;
  const present = new Set(await vectors.listCollections(options));
  for (const { collection } of dead)
    for (;;) {
      const ids = await store.vectors.listVectors(collection, 'tombstone', { after: '', limit: PAGE });
      if (ids.length === 0) break;
      if (present.has(collection)) await vectors.delete(collection, ids, options);
      writer.vectors.forget(ids);
    }
}

async function compareIds({ store, writer, embedding }: ReconcileTools, options: AbortOptions): Promise<void> {
  const { vectors, collection } = embedding;
  const held = new Set<EmbeddingId>();
  for await (const id of vectors.listIds(collection, options)) held.add(id);
  const lost: EmbeddingId[] = [];
  for (let after = ''; ;) {
    const ids = await store.vectors.listVectors(collection, 'committed', { after, limit: PAGE });
    for (const id of ids) if (!held.delete(id)) lost.push(id);
    const last = ids.at(-1);
    if (last === undefined) break;
    after = last;
  }
  for (let at = 0; at < lost.length; at += PAGE) writer.vectors.doubt(lost.slice(at, at + PAGE));
  const unknown = [...held];
  for (let at = 0; at < unknown.length; at += PAGE)
    await vectors.delete(collection, unknown.slice(at, at + PAGE), options);
}
