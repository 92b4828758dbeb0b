import { analyseChunk } from '@kebab/core';
import type { DocumentWrite } from '@kebab/core/store';
import { sampleDocuments, sampleWrite } from '@kebab/testing';
import type { Database } from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { FullText } from '../../src/documents/full-text.ts';
import { memoryStore } from '../open-test-store.ts';

/** The sample documents, and one whose chunker added a prefix to its only passage. */
const DOCUMENTS: Readonly<Record<string, DocumentWrite>> = {
  ...sampleDocuments(),
  'a note with a prefix': sampleWrite('notes/prefixed.md', 'a kiln\n', {
    cut: (text) => [{ start: 0, end: text.length, indexPrefix: 'Pottery, 도자기', symbol: 'Kiln::heat' }],
  }),
};

async function storeOf(...writes: readonly DocumentWrite[]) {
  const { store, db } = await memoryStore();
  const writer = await store.openWriter({ waitMs: 0 });
  await writer.transaction((tx) => {
    for (const write of writes) tx.putDocument(write);
  });
  return { store, db, writer };
}

/** Every token of the index with its place. */
function contentOf(db: Database): unknown {
  db.exec("CREATE VIRTUAL TABLE IF NOT EXISTS temp.instances USING fts5vocab('main', 'chunks_fts', 'instance')");
  return db.prepare('SELECT term, doc, col, offset FROM temp.instances ORDER BY 1, 2, 3, 4').raw().all();
}

describe('FullText', () => {
  it.each(Object.entries(DOCUMENTS))('makes the rows of %s again as they were written', async (_name, write) => {
    const { store, db } = await storeOf(write);
    const seq = Number(db.prepare('SELECT seq FROM documents').pluck().get());
    expect(new FullText(db).rowsOf(seq).map(({ texts }) => texts)).toEqual(write.index);
    store.close();
  });

  it('leaves nothing of removed documents behind, in the words or in the totals', async () => {
    const { store, db, writer } = await storeOf(...Object.values(DOCUMENTS));
    await writer.transaction((tx) => {
      for (const { document } of Object.values(DOCUMENTS)) tx.deleteDocument(document.docId);
      tx.putDocument(sampleWrite('only.md', 'one word here\n\nanother word and more of them\n\nlast\n'));
    });
    const fresh = await storeOf(sampleWrite('only.md', 'one word here\n\nanother word and more of them\n\nlast\n'));
    expect(contentOf(db)).toEqual(contentOf(fresh.db));
    const scores = "SELECT rowid, bm25(chunks_fts) FROM chunks_fts('another') ORDER BY 1";
    expect(db.prepare(scores).raw().all()).toEqual(fresh.db.prepare(scores).raw().all());
    store.close();
    fresh.store.close();
  });

  it('is made again by the first writer whose analysis is of another version', async () => {
    const { store, db, writer } = await storeOf(...Object.values(DOCUMENTS));
    const before = contentOf(db);
    await writer.close();
    const texts = analyseChunk({
      text: 'of another version',
      title: '',
      headingPath: [],
      workspacePath: '',
      symbol: null,
      extra: [],
      prefix: null,
    });
    new FullText(db).add({ rowid: 1_000_000, texts });
    db.exec("UPDATE kv SET value = 'v0' WHERE key = 'full_text_version'");
    await (await store.openWriter({ waitMs: 0 })).close();
    expect(contentOf(db)).toEqual(before);
    store.close();
  });
});
