import { expect, it } from 'vitest';
import type { IndexUpdate, LexicalIndex } from '../../src/contracts/lexical-index.ts';
import { KebabError } from '../../src/errors/kebab-error.ts';
import { changeDocuments } from '../../src/ingest/words-step.ts';
import { sampleWrite } from '@kebab/testing';
import { openStore } from '../kb/open-store.ts';

it.each([null, 'away'])('words on a server follow a removal at once (server: %s)', async (state) => {
  const { store } = await openStore();
  const write = sampleWrite('a.md', '# Oars');
  const updates: IndexUpdate[] = [];
  const update = async (change: IndexUpdate): Promise<void> => {
    updates.push(change);
    if (state !== null)
      throw new KebabError('vector_store_unreachable', 'away', {
        details: { store: 'words', endpoint: null, cause: '' },
      });
  };
  const lexical = { update } as unknown as LexicalIndex;
  const ports = {
    lexicalIndex: { read: async () => lexical, write: async () => lexical },
    log: { debug() {}, info() {}, warn() {}, error() {} },
  };
  const change = (remove: boolean) =>
    changeDocuments(store, ports, {
      options: {},
      change: (writer) =>
        writer.transaction((tx) => (remove ? tx.deleteDocument(write.document.docId) : tx.putDocument(write))),
    });
  await change(false);
  const since = await store.corpusRevision();
  await change(true);
  expect(updates.map(({ changes }) => changes?.docIds)).toEqual([
    new Set([write.document.docId]),
    new Set([write.document.docId]),
  ]);
  expect(updates[1]?.changes?.since).toBe(since);
  await (await store.openWriter({ waitMs: 0 })).close();
});
