import { readFileSync, writeFileSync } from 'node:fs';
import { isKebabError, type ChunkId } from '@kebab/core';
import type { IngestRunRow } from '@kebab/core/store';
import { sampleWrite } from '@kebab/testing';
import type { Database } from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { SqliteDocumentStore } from '../../src/documents/sqlite-document-store.ts';
import { fileDatabase, fileStore, memoryStore } from '../open-test-store.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { SqliteDocumentStore as Store } from '../../src/documents/sqlite-document-store.ts';

const write = sampleWrite('a.md', 'one\n\ntwo\n');

async function put(store: SqliteDocumentStore, ...texts: readonly string[]): Promise<void> {
  const writer = await store.openWriter({ waitMs: 0 });
  try {
    await writer.transaction((tx) => {
      for (const [i, text] of texts.entries()) tx.putDocument(sampleWrite(`${i}.md`, text));
    });
  } finally {
    await writer.close();
  }
}

function usedPages(db: Database): number {
  const count = (name: string): number => db.pragma(name, { simple: true }) as number;
  return count('page_count') - count('freelist_count');
}

function addVector(db: Database, chunkId: ChunkId): void {
  db.prepare(
    `INSERT INTO embedding_records VALUES (?, ?, 'e5', '1', 384, 'f', 'local', 'c', 'committed', '2026', '2026')`,
  ).run(`e${chunkId}`, chunkId);
}

function run(count: number): IngestRunRow {
  return {
    runId: `run_${count}`,
    scopeJson: '{}',
    scanned: 0,
    newCount: 0,
    updatedCount: 0,
    unchangedCount: 0,
    skippedCount: 0,
    errorCount: 0,
    purgedCount: 0,
    embeddingsPending: 0,
    aborted: false,
    durationMs: 1,
    startedAt: new Date(count),
    finishedAt: new Date(count),
    itemsJson: null,
  };
}

describe('SqliteDocumentWriter', () => {
  it('increments the corpus revision once per transaction, however many changes it has', async () => {
    const { store } = await memoryStore();
    await put(store, 'one\n', 'two\n', 'three\n');
    expect(await store.corpusRevision()).toBe(1);
    await put(store, 'four\n', 'five\n');
    expect(await store.corpusRevision()).toBe(2);
    store.close();
  });

  it('keeps the records of the last thousand ingests', async () => {
    const { store, db } = await memoryStore();
    const writer = await store.openWriter({ waitMs: 0 });
    for (let count = 1; count <= 1005; count++) await writer.recordRun(run(count));
    await writer.close();
    const kept = db.prepare('SELECT count(*), min(finished_at), max(finished_at) FROM ingest_runs').raw().get();
    expect(kept).toEqual([1000, new Date(6).toISOString(), new Date(1005).toISOString()]);
    store.close();
  });

  it('rolls back a transaction even if the caller catches the error within it', async () => {
    const { store } = await memoryStore();
    const writer = await store.openWriter({ waitMs: 0 });
    const act = (): Promise<void> =>
      writer.transaction((tx) => {
        tx.putDocument(write);
        expect(() => tx.putDocument({ ...write, index: [] })).toThrow(TypeError);
      });
    await expect(act()).rejects.toThrow(TypeError);
    expect([await store.documentCount(), await store.corpusRevision(), await store.checkIntegrity()]).toEqual([
      0,
      0,
      [],
    ]);
    store.close();
  });

  it('rejects nested transactions and asynchronous ones', async () => {
    const { store } = await memoryStore();
    const writer = await store.openWriter({ waitMs: 0 });
    const nested: Promise<void>[] = [];
    await writer.transaction(() => void nested.push(writer.transaction(() => {})));
    await expect(nested[0]).rejects.toThrow(TypeError);
    const waits = async (): Promise<void> => {};
    await expect(writer.transaction(waits as () => void)).rejects.toThrow(TypeError);
    expect(await store.corpusRevision()).toBe(0);
    store.close();
  });

  it('marks the vectors of removed chunks as tombstones, and as pending when a chunk returns', async () => {
    const { store, db } = await memoryStore();
    const writer = await store.openWriter({ waitMs: 0 });
    await writer.transaction((tx) => tx.putDocument(write));
    for (const { chunkId } of write.chunks) addVector(db, chunkId);
    const statuses = (): unknown =>
      db.prepare('SELECT DISTINCT status, committed_at FROM embedding_records').raw().all();
    await writer.transaction((tx) => tx.deleteDocument(write.document.docId));
    expect(statuses()).toEqual([['tombstone', '2026']]);
    await writer.transaction((tx) => tx.putDocument(write));
    expect(statuses()).toEqual([['pending', null]]);
    store.close();
  });

  it('keeps the first version of an asset, until a copy replaces its reference', async () => {
    const { store, db } = await memoryStore();
    const writer = await store.openWriter({ waitMs: 0 });
    const stored = (): unknown =>
      db.prepare('SELECT workspace_path, storage_kind, storage_path FROM assets').raw().all();
    const moved = sampleWrite('b.md', 'one\n\ntwo\n');
    const copied = { ...moved, asset: { ...moved.asset, stored: { kind: 'copied', path: '/assets/x' } as const } };
    for (const one of [write, moved, copied, write]) await writer.transaction((tx) => tx.putDocument(one));
    expect(stored()).toEqual([['a.md', 'copied', '/assets/x']]);
    store.close();
  });

  it('merges removed rows out of the full-text index once there are many', async () => {
    const { store, db } = await memoryStore();
    const words = (round: number): string =>
      Array.from({ length: 300 }, (_, at) => `word${round} v${round}n${at}\n`).join('\n');
    await put(store, words(0), 'stays\n');
    const pages = usedPages(db);
    for (let round = 1; round < 10; round++) await put(store, words(round), 'stays\n');
    expect(usedPages(db)).toBeLessThan(1.2 * pages);
    expect(await store.checkIntegrity()).toEqual([]);
    const found = db.prepare('SELECT count(*) FROM chunks_fts(?)').pluck();
    expect([found.get('word0'), found.get('word9'), found.get('stay')]).toEqual([0, 300, 1]);
    store.close();
  });

  it('reports a full disk with its code, and writes nothing partially', async () => {
    const { store, db } = await memoryStore();
    await put(store, 'small\n');
    const pages = db.pragma('page_count', { simple: true }) as number;
    db.pragma(`max_page_count = ${pages + 3}`);
    const failure = await put(store, 'changed\n', 'large\n\n'.repeat(20_000)).catch((error: unknown) => error);
    expect(isKebabError(failure, 'io_error') && failure.details).toMatchObject({
      kind: 'SQLITE_FULL',
      path: ':memory:',
    });
    expect([await store.documentCount(), await store.checkIntegrity()]).toEqual([1, []]);
    expect((await store.findDocument('default', '0.md'))?.textLength).toBe('small\n'.length);
    db.pragma('max_page_count = 1073741823');
    await put(store, 'changed\n', 'large\n\n'.repeat(20_000));
    expect((await store.stats()).chunks).toBe(20_001);
    store.close();
  });

  it('reports a damaged database with its code', async () => {
    const folder = temporaryFolder();
    const file = folder.file('kebab.sqlite');
    const store = await fileStore(file);
    const text = 'one\n\n'.repeat(20_000);
    await put(store, text);
    const reader = await fileDatabase(file, true);
    const page = reader.prepare("SELECT max(pageno) FROM dbstat WHERE name = 'document_texts'").pluck().get() as number;
    reader.close();
    store.close();
    const bytes = readFileSync(file);
    bytes.fill(0xff, (page - 1) * 8192, page * 8192);
    writeFileSync(file, bytes);
    const damaged = await fileStore(file, true);
    const { docId } = sampleWrite('0.md', text).document;
    await expect(damaged.readTexts([{ docId }])).rejects.toThrow(expect.objectContaining({ code: 'store_damaged' }));
    expect(await damaged.checkIntegrity()).not.toEqual([]);
    damaged.close();
    folder.remove();
  });

  it('can be closed after its store, and releases the lock once', async () => {
    const folder = temporaryFolder();
    const store = await fileStore(folder.file('kebab.sqlite'));
    const writer = await store.openWriter({ waitMs: 0 });
    store.close();
    await writer.close();
    const again = new Store(await fileDatabase(folder.file('kebab.sqlite')), {
      location: 'x',
      lockFile: folder.file('kebab.sqlite.lock'),
      embeddingCache: null,
    });
    const retaken = await again.openWriter({ waitMs: 0 });
    expect(await retaken.sweepAssets()).toEqual([]);
    await retaken.close();
    again.close();
    folder.remove();
  });
});
