import assert from 'node:assert/strict';
import type { ContractCase, ContractSuite } from './contract-suite.ts';
import { changeCases } from './document-store-changes.ts';
import { readingCases } from './document-store-reading.ts';
import { vectorCases } from './document-store-vectors.ts';
import { type DocumentStoreCase, type OpenDocumentStore, assertHolds, put, putTexts } from './open-document-store.ts';
import { isKebabError } from '../errors/kebab-error.ts';
import { sampleWrite } from './sample-write.ts';

/** What the one writer and its readers promise each other. */
const lockCases: readonly DocumentStoreCase[] = [
  [
    'has one writer at a time',
    async ({ store }) => {
      const first = await store.openWriter({ waitMs: 0 });
      await assert.rejects(store.openWriter({ waitMs: 10 }), (error) => isKebabError(error, 'locked'));
      first.close();
      first.close();
      const second = await store.openWriter({ waitMs: 0 });
      second.close();
    },
  ],
  [
    'waits for the writer before, as long as it may',
    async ({ store }) => {
      const first = await store.openWriter({ waitMs: 0 });
      const second = store.openWriter({ waitMs: 5000 });
      first.close();
      (await second).close();
    },
  ],
  [
    'stops waiting when it is told to',
    async ({ store }) => {
      const first = await store.openWriter({ waitMs: 0 });
      const stop = new AbortController();
      const second = store.openWriter({ waitMs: 60_000, signal: stop.signal });
      stop.abort();
      await assert.rejects(second, (error) => isKebabError(error, 'cancelled'));
      first.close();
    },
  ],
  [
    'refuses changes through a writer that has been closed, and from outside their transaction',
    async ({ store }) => {
      const writer = await store.openWriter({ waitMs: 0 });
      const tx = writer.transaction((inside) => inside);
      assert.throws(() => tx.putDocument(sampleWrite('a.md', 'late\n')));
      writer.close();
      assert.throws(() => writer.transaction(() => {}));
      await assertHolds(store, []);
    },
  ],
  [
    'shows readers what is committed, and nothing else',
    async ({ store, reader }) => {
      if (reader === undefined) return;
      await putTexts(store, { 'a.md': 'one\n' });
      const other = await reader();
      try {
        const writer = await store.openWriter({ waitMs: 0 });
        const before = [await other.documentCount(), await other.corpusRevision()];
        const next = sampleWrite('b.md', 'two\n');
        const reads: Promise<unknown>[] = [];
        writer.transaction((tx) => {
          tx.putDocument(next);
          reads.push(other.documentCount(), other.corpusRevision(), other.getDocuments([next.document.docId]));
        });
        assert.deepEqual(await Promise.all(reads), [...before, []]);
        writer.close();
        await assertHolds(other, [sampleWrite('a.md', 'one\n'), next]);
        assert.equal(await other.corpusRevision(), await store.corpusRevision());
      } finally {
        other.close();
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
        other.close();
      }
    },
  ],
];

/** What {@link documentStoreSuite} needs. */
export interface DocumentStoreSuiteOptions {
  /** Opens a store without documents. */
  readonly open: () => OpenDocumentStore | Promise<OpenDocumentStore>;
}

/**
 * The promises of a document store: put then get is identity, a transaction is all or nothing, deleting takes everything
 * along, filters and pages follow the contract, there is one writer, readers see what is committed, and the ledger of vectors follows
 * the documents.
 */
export function documentStoreSuite({ open }: DocumentStoreSuiteOptions): ContractSuite {
  const promise = ([name, check]: DocumentStoreCase): ContractCase => ({
    name,
    run: async () => {
      const opened = await open();
      try {
        await check(opened);
      } finally {
        await opened.close?.();
      }
    },
  });
  return {
    contract: 'DocumentStore',
    cases: [...readingCases, ...changeCases, ...lockCases, ...vectorCases].map(promise),
  };
}
