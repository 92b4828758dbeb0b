import assert from 'node:assert/strict';
import { casesOn, type ContractSuite } from './contract-suite.ts';
import { changeCases } from './document-store-changes.ts';
import { archiveCases } from './store-archive-cases.ts';
import { readingCases } from './document-store-reading.ts';
import {
  COLLECTION,
  type DocumentStoreCase,
  FINGERPRINT,
  type OpenDocumentStore,
  assertHolds,
  put,
  putTexts,
  change,
  vectorNotes,
  withWriter,
} from './store-with.ts';
import { isKebabError, type EmbeddingId } from '@kebab/core';
import type { DocumentStore, DocumentTransaction, DocumentWrite, VectorNote } from '@kebab/core/store';
import { sampleWrite } from './sample-documents.ts';

/** The promises about the writer lock and readers. */
const lockCases: readonly DocumentStoreCase[] = [
  [
    'has one writer at a time',
    async ({ store }) => {
      const first = await store.openWriter({ waitMs: 0 });
      await assert.rejects(store.openWriter({ waitMs: 10 }), (error) => isKebabError(error, 'locked'));
      await first.close();
      await first.close();
      const second = await store.openWriter({ waitMs: 0 });
      await second.close();
    },
  ],
  [
    'waits for the previous writer up to its time limit',
    async ({ store }) => {
      const first = await store.openWriter({ waitMs: 0 });
      const second = store.openWriter({ waitMs: 5000 });
      await first.close();
      await (await second).close();
    },
  ],
  [
    'stops waiting when its signal fires',
    async ({ store }) => {
      const first = await store.openWriter({ waitMs: 0 });
      const stop = new AbortController();
      const second = store.openWriter({ waitMs: 60_000, signal: stop.signal });
      stop.abort();
      await assert.rejects(second, (error) => isKebabError(error, 'cancelled'));
      await first.close();
    },
  ],
  [
    'rejects changes through a closed writer, and outside their transaction',
    async ({ store }) => {
      const writer = await store.openWriter({ waitMs: 0 });
      const ended: DocumentTransaction[] = [];
      await writer.transaction((tx) => void ended.push(tx));
      assert.throws(() => ended[0]?.putDocument(sampleWrite('a.md', 'late\n')));
      await writer.close();
      await assert.rejects(writer.transaction(() => {}));
      await assertHolds(store, []);
    },
  ],
  [
    'shows readers only what is committed',
    async ({ store, reader }) => {
      if (reader === undefined) return;
      await putTexts(store, { 'a.md': 'one\n' });
      const other = await reader();
      try {
        const writer = await store.openWriter({ waitMs: 0 });
        const next = [sampleWrite('b.md', 'two\n'), sampleWrite('c.md', 'three\n')];
        const reads: Promise<number>[] = [];
        const committed = writer.transaction((tx) => {
          for (const write of next) {
            tx.putDocument(write);
            reads.push(other.documentCount());
          }
        });
        reads.push(other.documentCount());
        for (const count of await Promise.all(reads)) assert.ok(count === 1 || count === 3, `${count} documents`);
        await committed;
        await writer.close();
        await assertHolds(other, [sampleWrite('a.md', 'one\n'), ...next]);
        assert.equal(await other.corpusRevision(), await store.corpusRevision());
      } finally {
        await other.close();
      }
    },
  ],
  [
    'has no writer when it is opened for reading',
    async ({ store, reader }) => {
      if (reader === undefined) return;
      await put(store, sampleWrite('a.md', 'one\n'));
      const other = await reader();
      try {
        await assert.rejects(other.openWriter({ waitMs: 0 }), (error) => isKebabError(error, 'readonly_mode'));
      } finally {
        await other.close();
      }
    },
  ],
];

/** Options of {@link documentStoreSuite}. */
export interface DocumentStoreSuiteOptions {
  /** Opens a store without documents. */
  readonly open: () => OpenDocumentStore | Promise<OpenDocumentStore>;
}

/**
 * The contract suite of a document store: a read returns exactly what was written, transactions are atomic, deleting removes all derived
 * data, filters and pages follow the contract, there is one writer, readers see what is committed, and the ledger of vectors follows the
 * documents.
 */
export function documentStoreSuite({ open }: DocumentStoreSuiteOptions): ContractSuite {
  const promise = casesOn(open);
  return {
    contract: 'DocumentStore',
    cases: [...readingCases, ...changeCases, ...lockCases, ...vectorCases, ...archiveCases].map(([name, check]) =>
      promise(name, check),
    ),
  };
}

const AT = new Date('2026-02-01T00:00:00Z');

/** The promises of the vector ledger and the derivation records. */
const vectorCases: readonly DocumentStoreCase[] = [
  [
    'starts without vectors, with every document lacking them',
    async ({ store }) => {
      const writes = await putTexts(store, { 'b.md': 'one\n\ntwo\n', 'a.md': 'three\n' });
      assert.deepEqual(await store.vectors.collections(), []);
      assert.deepEqual(
        await store.vectors.documentsWithout(FINGERPRINT),
        ['a.md', 'b.md'].map((path) => idOf(writes, path)),
      );
      assert.equal(await store.vectors.countDocumentsWithout(FINGERPRINT), 2);
      assert.equal(await store.vectors.countDocumentsWithout(null), 2);
    },
  ],
  [
    'lists the documents without vectors that changed last first',
    async ({ store }) => {
      const [older, newer] = [sampleWrite('a.md', 'one\n'), sampleWrite('b.md', 'two\n')];
      const metadata = { ...newer.document.metadata, updatedAt: new Date('2099-01-01T00:00:00Z') };
      await put(store, older, { ...newer, document: { ...newer.document, metadata } });
      const ids = [newer, older].map(({ document }) => document.docId);
      assert.deepEqual(await store.vectors.documentsWithout(FINGERPRINT), ids);
    },
  ],
  [
    'keeps a vector pending until it is committed, and does not return it before',
    async ({ store }) => {
      const [write] = await putTexts(store, { 'a.md': 'one\n\ntwo\n' });
      const notes = vectorNotes(write!);
      const chunkIds = new Set(notes.map(({ chunkId }) => chunkId));
      await withWriter(store, (writer) => writer.vectors.begin(notes, AT));
      assert.deepEqual(await store.vectors.unsettledChunks(COLLECTION), chunkIds);
      assert.deepEqual(await store.vectors.committedChunks(COLLECTION, write!.document.docId), new Set());
      assert.deepEqual(await listed(store, 'pending'), idsOf(notes));
      const before = await store.corpusRevision();
      await commit(store, notes, [write!]);
      assert.ok((await store.corpusRevision()) > before);
      assert.deepEqual(await store.vectors.unsettledChunks(COLLECTION), new Set());
      assert.deepEqual(await store.vectors.committedChunks(COLLECTION, write!.document.docId), chunkIds);
      assert.deepEqual(await store.vectors.documentsWithout(FINGERPRINT), []);
      assert.equal(await store.vectors.countDocumentsWithout(null), 0);
      assert.equal((await store.getDocuments([write!.document.docId]))[0]?.fingerprints.embedding, FINGERPRINT);
      assert.deepEqual((await store.vectors.vectorsOf([notes[0]!.chunkId])).get(notes[0]!.chunkId), [
        { embeddingId: notes[0]!.embeddingId, modelId: 'sample', dimensions: 4, status: 'committed' },
      ]);
    },
  ],
  [
    'takes a vector whose chunk is gone for one to delete',
    async ({ store }) => {
      const [old] = await putTexts(store, { 'a.md': 'one\n' });
      const [now] = await putTexts(store, { 'a.md': 'one\n\ntwo\n', 'b.md': 'three\n' });
      const notes = [old!, now!].flatMap(vectorNotes);
      await withWriter(store, (writer) => writer.vectors.begin(notes, AT));
      await commit(store, notes, [now!]);
      assert.deepEqual(await listed(store, 'tombstone'), idsOf(vectorNotes(old!)));
      const [counts] = await store.vectors.collections();
      assert.equal(counts?.committed, vectorNotes(now!).length);
    },
  ],
  [
    'counts a committed document as lacking vectors of another model',
    async ({ store }) => {
      const [write] = await embedded(store, { 'a.md': 'one\n' });
      assert.deepEqual(await store.vectors.documentsWithout('another@1'), [write!.document.docId]);
      assert.equal(await store.vectors.countDocumentsWithout('another@1'), 1);
    },
  ],
  [
    'turns the vectors of a deleted document into tombstones, until they are removed',
    async ({ store }) => {
      const [write] = await embedded(store, { 'a.md': 'one\n\ntwo\n' });
      const notes = vectorNotes(write!);
      await change(store, (tx) => tx.deleteDocument(write!.document.docId));
      assert.deepEqual(await listed(store, 'tombstone'), idsOf(notes));
      assert.deepEqual((await store.vectors.unsettledChunks(COLLECTION)).size, notes.length);
      assert.deepEqual(await store.vectors.vectorsOf([notes[0]!.chunkId]), new Map());
      await withWriter(store, (writer) => writer.vectors.forget(idsOf(notes)));
      assert.deepEqual(await store.vectors.collections(), []);
    },
  ],
  [
    'returns a vector to pending when its chunk is written again with the same id',
    async ({ store }) => {
      const [write] = await embedded(store, { 'a.md': 'one\n' });
      await put(store, write!);
      assert.deepEqual(await listed(store, 'pending'), idsOf(vectorNotes(write!)));
      assert.deepEqual(await store.vectors.documentsWithout(FINGERPRINT), [write!.document.docId]);
    },
  ],
  [
    'returns vectors that their store has lost to pending, with their documents',
    async ({ store }) => {
      const writes = await embedded(store, { 'a.md': 'one\n\ntwo\n', 'b.md': 'three\n' });
      const [first] = idsOf(vectorNotes(writes[0]!));
      await withWriter(store, (writer) => writer.vectors.doubt([first!]));
      assert.deepEqual(await listed(store, 'pending'), [first]);
      assert.deepEqual(await store.vectors.documentsWithout(FINGERPRINT), [writes[0]!.document.docId]);
    },
  ],
  [
    'removes a collection completely, including that its documents were embedded',
    async ({ store }) => {
      const writes = await embedded(store, { 'a.md': 'one\n\ntwo\n', 'b.md': 'three\n' });
      const forgotten = await withWriter(store, (writer) => writer.vectors.forgetCollection(COLLECTION));
      assert.equal(forgotten, 3);
      assert.deepEqual(await store.vectors.collections(), []);
      assert.equal(await store.vectors.countDocumentsWithout(FINGERPRINT), writes.length);
    },
  ],
  [
    'counts and lists vectors by collection and page',
    async ({ store }) => {
      const writes = await embedded(store, { 'a.md': 'one\n\ntwo\n', 'b.md': 'three\n' });
      const ids = idsOf(writes.flatMap(vectorNotes));
      assert.deepEqual(await store.vectors.collections(), [
        {
          collection: COLLECTION,
          fingerprint: FINGERPRINT,
          committed: 3,
          pending: 0,
          tombstones: 0,
        },
      ]);
      const page = await store.vectors.listVectors(COLLECTION, 'committed', { after: '', limit: 2 });
      assert.deepEqual(page, ids.slice(0, 2));
      const rest = await store.vectors.listVectors(COLLECTION, 'committed', { after: page[1]!, limit: 2 });
      assert.deepEqual(rest, ids.slice(2));
    },
  ],
  [
    'finds the ids of the documents that match filters',
    async ({ store }) => {
      const writes = await putTexts(store, { 'a.md': 'one\n', 'sub/b.md': 'two\n' });
      assert.deepEqual(await store.documentIds({ pathGlob: ['sub/**'] }), new Set([idOf(writes, 'sub/b.md')]));
      assert.deepEqual(await store.documentIds({}), new Set(writes.map(({ document }) => document.docId)));
    },
  ],
  [
    'caches derived data by kind and key, until it has not been used for long',
    async ({ store }) => {
      await withWriter(store, async ({ derivations }) => {
        const payload = new Uint8Array([1, 2, 3]);
        await derivations.set(
          'embedding',
          [
            { key: 'old', payload },
            { key: 'used', payload },
          ],
          AT,
        );
        await derivations.set('ocr', [{ key: 'text', payload: new Uint8Array(0) }], AT);
        const both = await derivations.get('embedding', ['old', 'unknown', 'used']);
        assert.deepEqual([...both.keys()].toSorted(), ['old', 'used']);
        assert.deepEqual([...(both.get('old') ?? [])], [1, 2, 3]);
        const texts = await derivations.get('ocr', ['text', 'old']);
        assert.deepEqual(
          [...texts].map(([key, bytes]) => [key, [...bytes]]),
          [['text', []]],
        );
        const later = new Date(AT.getTime() + 1000);
        await derivations.touch(['used', 'unknown'], later);
        assert.equal(await derivations.sweep(later), 2);
        assert.deepEqual([...(await derivations.get('embedding', ['old', 'used'])).keys()], ['used']);
      });
    },
  ],
];

/** Writes texts, and vectors for all of their chunks. */
async function embedded(
  store: DocumentStore,
  texts: Readonly<Record<string, string>>,
): Promise<readonly DocumentWrite[]> {
  const writes = await putTexts(store, texts);
  const notes = writes.flatMap(vectorNotes);
  await withWriter(store, (writer) => writer.vectors.begin(notes, AT));
  await commit(store, notes, writes);
  return writes;
}

async function commit(
  store: DocumentStore,
  notes: readonly VectorNote[],
  writes: readonly DocumentWrite[],
): Promise<void> {
  const documents = writes.map(({ document }) => document.docId);
  await withWriter(store, (writer) =>
    writer.vectors.commit({ embeddingIds: idsOf(notes), documents, fingerprint: FINGERPRINT, at: AT }),
  );
}

function idsOf(notes: readonly VectorNote[]): readonly EmbeddingId[] {
  return notes.map(({ embeddingId }) => embeddingId).toSorted();
}

function listed(store: DocumentStore, status: 'pending' | 'tombstone'): Promise<readonly EmbeddingId[]> {
  return store.vectors.listVectors(COLLECTION, status, { after: '', limit: 100 });
}

function idOf(writes: readonly DocumentWrite[], path: string): string | undefined {
  return writes.find(({ document }) => document.workspacePath === path)?.document.docId;
}
