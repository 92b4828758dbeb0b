import assert from 'node:assert/strict';
import type { DocumentStore, DocumentTransaction, DocumentWrite, DocumentWriter } from '../contracts/document-store.ts';
import { rowOf } from './store-with.ts';
import { sampleWrite } from './sample-write.ts';

/** A document store without documents. */
export interface OpenDocumentStore {
  readonly store: DocumentStore;
  /** Opens the same documents once more, for reading only; left out when no one else can see them. */
  readonly reader?: () => Promise<DocumentStore>;
  readonly close?: () => void | Promise<void>;
}

/** One promise of a document store, checked on a store of its own. */
export type DocumentStoreCase = readonly [name: string, check: (opened: OpenDocumentStore) => void | Promise<void>];

/** Performs changes in one transaction of a writer that is opened for it. */
export async function change<T>(store: DocumentStore, perform: (tx: DocumentTransaction) => T): Promise<T> {
  return withWriter(store, (writer) => writer.transaction(perform));
}

/** Opens a writer for as long as `act` takes. */
export async function withWriter<T>(store: DocumentStore, act: (writer: DocumentWriter) => T): Promise<T> {
  const writer = await store.openWriter({ waitMs: 0 });
  try {
    return act(writer);
  } finally {
    writer.close();
  }
}

/** Writes documents in one transaction. */
export async function put(store: DocumentStore, ...writes: readonly DocumentWrite[]): Promise<void> {
  await change(store, (tx) => {
    for (const write of writes) tx.putDocument(write);
  });
}

/** Writes a text at each of some paths, and returns what was written. */
export async function putTexts(
  store: DocumentStore,
  texts: Readonly<Record<string, string>>,
): Promise<readonly DocumentWrite[]> {
  const writes = Object.entries(texts).map(([path, text]) => sampleWrite(path, text));
  await put(store, ...writes);
  return writes;
}

/** Fails unless a store holds exactly what was written, and nothing of it is damaged. */
export async function assertHolds(store: DocumentStore, writes: readonly DocumentWrite[]): Promise<void> {
  assert.equal(await store.documentCount(), writes.length);
  assert.equal(
    (await store.stats()).chunks,
    writes.reduce((count, { chunks }) => count + chunks.length, 0),
  );
  for (const write of writes) await assertStored(store, write);
  assert.deepEqual(await store.checkIntegrity(), []);
}

/** Fails unless a document comes back exactly as it was written, by every way there is to it. */
export async function assertStored(store: DocumentStore, write: DocumentWrite): Promise<void> {
  const { document, chunks } = write;
  const { docId, sourceId, workspacePath } = document;
  assert.deepEqual(await store.getCanonicalDocument(docId), document);
  assert.deepEqual((await store.getBlocks([docId])).get(docId), document.blocks);
  assert.deepEqual(await store.readTexts([{ docId }]), [document.text]);
  assert.deepEqual(await store.listChunks(docId), chunks);
  const [row] = await store.getDocuments([docId]);
  assert.deepEqual(row, rowOf(write));
  assert.deepEqual(await store.findDocument(sourceId, workspacePath), row);
  for (const chunk of chunks) {
    const [whole] = await store.getChunks([chunk.chunkId]);
    const { around, ...found } = whole ?? {};
    assert.deepEqual(found, { chunk, document: row });
    if (around === undefined) continue;
    const { start, text } = around;
    assert.ok(start <= chunk.start && start + text.length >= chunk.end);
    assert.ok(document.text.startsWith(text, start));
  }
}
