import { writeFileSync } from 'node:fs';
import { isKebabError, type ChunkFilter, type VectorRecord, type VectorStore } from '@kebab/core';
import { type ErrorCode } from '@kebab/core/store';
import { exactSearch, numbersFrom, sampleIds, sampleRecords, sampleVector } from '@kebab/testing';
import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openVectorFile } from '../src/database/open-vector-file.ts';
import plugin from '../src/index.ts';
import { LocalVectorStore } from '../src/local-vector-store.ts';
import { VectorFile } from './open-local-store.ts';

const NAME = 'chunk_embeddings_sample';
const ALL: ChunkFilter = { kind: 'all' };

let vectors: VectorFile;
beforeEach(() => {
  vectors = new VectorFile();
});
afterEach(() => vectors.remove());

async function filled(records: readonly VectorRecord[]): Promise<VectorStore> {
  const store = await vectors.open();
  await store.ensureCollection(NAME, records[0]?.vector.length ?? 8);
  await store.upsert(NAME, records);
  return store;
}

async function codeOf(work: () => Promise<unknown>): Promise<ErrorCode | 'none'> {
  try {
    await work();
    return 'none';
  } catch (error) {
    if (isKebabError(error)) return error.code;
    throw error;
  }
}

const ask = (store: VectorStore, dimensions = 8) =>
  store.search(NAME, { vector: sampleVector(dimensions, numbersFrom(5)), limit: 10, allow: ALL });

/** Runs SQL on the file, as another program would. */
function tamper(sql: string): void {
  const db = new Sqlite(vectors.file);
  db.exec(sql);
  db.close();
}

describe('LocalVectorStore', () => {
  it('returns the exact list for any query, limit and filter, streamed and cached', async () => {
    const dimensions = 50;
    const records = sampleRecords(2000, dimensions);
    const store = await filled(records);
    const resident = await vectors.open(true);
    for (let search = 0; search < 2; search++) await ask(resident, dimensions);
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 2 ** 30 }),
        fc.integer({ min: 1, max: 300 }),
        fc.integer({ min: 1, max: 6 }),
        async (seed, limit, step) => {
          const chunkIds = new Set(records.filter((_, n) => n % step === 0).map(({ chunkId }) => chunkId));
          const allow: ChunkFilter = step === 1 ? ALL : { kind: 'only', chunkIds };
          const search = { vector: sampleVector(dimensions, numbersFrom(seed)), limit, allow };
          const exact = exactSearch(records, search).map(({ chunkId }) => chunkId);
          const idsFrom = async (from: VectorStore): Promise<readonly string[]> =>
            (await from.search(NAME, search)).map(({ chunkId }) => chunkId);
          expect(await idsFrom(resident)).toEqual(exact);
          const streaming = await vectors.open(true);
          expect(await idsFrom(streaming)).toEqual(exact);
          streaming.close();
        },
      ),
      { numRuns: 15 },
    );
    await store.close?.();
  });

  it('returns lists for a larger limit that begin with those for a smaller one, even with many equal vectors', async () => {
    const same = sampleVector(16, numbersFrom(3));
    const records = sampleRecords(1500, 16).map((record, n) => (n % 2 === 0 ? { ...record, vector: same } : record));
    const store = await filled(records);
    const whole = await store.search(NAME, { vector: same, limit: 900, allow: ALL });
    for (const limit of [1, 10, 11, 500, 760])
      expect(await store.search(NAME, { vector: same, limit, allow: ALL })).toEqual(whole.slice(0, limit));
  });

  it('reads only changed codes again after a small change', async () => {
    const records = sampleRecords(2000, 8);
    const writer = await filled(records);
    const reader = await vectors.open(true);
    for (let time = 0; time < 2; time++) await ask(reader);
    const added = { ...sampleIds(9000), vector: sampleVector(8, numbersFrom(5)) };
    await writer.upsert(NAME, [added]);
    tamper(`UPDATE vector_codes SET codes = x'00' WHERE segment IN
      (SELECT segment FROM vector_segments WHERE codes_version < (SELECT max(codes_version) FROM vector_segments))`);
    expect((await ask(reader))[0]?.embeddingId).toBe(added.embeddingId);
    expect(await codeOf(async () => ask(await vectors.open(true)))).toBe('store_damaged');
  });

  it('recommends a server above a number of vectors', async () => {
    const store = await filled(sampleRecords(400, 8));
    expect(await store.advise?.()).toBeNull();
    const config = { file: vectors.file, readonly: true };
    const reader = new LocalVectorStore(await openVectorFile(config), config, { maxVectors: 399 });
    expect(await reader.advise()).toEqual({
      detail: expect.stringMatching(/^400 vectors of 8 dimensions /),
      hint: expect.stringContaining('kebab vectors copy --from local --to qdrant'),
    });
    await store.delete(NAME, [sampleIds(7).embeddingId]);
    expect(await reader.advise()).toBeNull();
    reader.close();
  });

  it('leaves nothing behind when a collection is dropped', async () => {
    const store = await filled(sampleRecords(600, 96));
    expect(await store.storedBytes?.()).toBe(600 * 96 * 4 + 3 * 256 * (96 + 32));
    await store.dropCollection(NAME);
    expect(await store.storedBytes?.()).toBe(0);
  });

  it('keeps the data of another program in the same file', async () => {
    tamper("CREATE TABLE documents (doc_id TEXT); INSERT INTO documents VALUES ('one')");
    const store = await filled(sampleRecords(300, 8));
    await store.dropCollection(NAME);
    const db = new Sqlite(vectors.file, { readonly: true });
    expect(db.prepare('SELECT * FROM documents').all()).toEqual([{ doc_id: 'one' }]);
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    for (const table of ['vector_segments', 'vector_codes', 'vector_rows', 'vector_slots'])
      expect(db.prepare(`SELECT count(*) FROM ${table}`).pluck().get()).toBe(0);
    db.close();
  });

  it('completes an interrupted removal of a collection together with the next one', async () => {
    const store = await filled(sampleRecords(6000, 8));
    const abort = new AbortController();
    const dropping = store.dropCollection(NAME, { signal: abort.signal });
    setImmediate(() => abort.abort());
    expect(await codeOf(() => dropping)).toBe('cancelled');
    expect(await store.count(NAME)).toBeNull();
    await store.ensureCollection('another', 8);
    await store.dropCollection('another');
    const db = new Sqlite(vectors.file, { readonly: true });
    for (const table of ['collections', 'segments', 'codes', 'rows', 'slots'])
      expect(db.prepare(`SELECT count(*) FROM vector_${table}`).pluck().get(), table).toBe(0);
    db.close();
  });

  it('can be dropped and recreated when one of its tables is missing', async () => {
    const records = sampleRecords(300, 8);
    await filled(records);
    vectors.closeAll();
    tamper('DROP TABLE vector_rows');
    const store = await vectors.open();
    expect(await codeOf(() => ask(store))).toBe('store_damaged');
    await store.dropCollection(NAME);
    await store.ensureCollection(NAME, 8);
    await store.upsert(NAME, records);
    expect(await ask(store)).toHaveLength(10);
  });

  it('returns the same results after the file was vacuumed', async () => {
    const store = await filled(sampleRecords(700, 8));
    const before = await ask(store);
    await store.delete(NAME, [sampleIds(100_000).embeddingId]);
    tamper('VACUUM');
    expect(await ask(await vectors.open(true))).toEqual(before);
    expect(await ask(store)).toEqual(before);
  });

  it('reuses the space of deleted vectors', async () => {
    const records = sampleRecords(1000, 32);
    const store = await filled(records);
    const segments = (): unknown => {
      const db = new Sqlite(vectors.file, { readonly: true });
      const count = db.prepare('SELECT count(*) FROM vector_segments').pluck().get();
      db.close();
      return count;
    };
    const before = segments();
    for (let round = 1; round <= 3; round++) {
      await store.delete(
        NAME,
        Array.from({ length: 1000 }, (_, n) => sampleIds(n + (round - 1) * 5000).embeddingId),
      );
      await store.upsert(
        NAME,
        records.map((record, n) => ({ ...record, ...sampleIds(n + round * 5000) })),
      );
    }
    expect(segments()).toBe(before);
    expect(await store.count(NAME)).toBe(1000);
    expect(await store.checkIntegrity?.()).toEqual([]);
  });

  it('changes nothing when it is open for reading', async () => {
    const records = sampleRecords(10, 8);
    await filled(records);
    const reader = await vectors.open(true);
    expect(await reader.ensureCollection(NAME, 8)).toMatch(/^[0-9a-f]{32}$/);
    expect(await codeOf(() => reader.ensureCollection('another', 8))).toBe('readonly_mode');
    expect(await codeOf(() => reader.upsert(NAME, records))).toBe('readonly_mode');
    expect(await codeOf(() => reader.delete(NAME, [sampleIds(0).embeddingId]))).toBe('readonly_mode');
    expect(await codeOf(() => reader.dropCollection(NAME))).toBe('readonly_mode');
    expect(await ask(reader)).toHaveLength(10);
  });

  it('finds no collection in a database without vectors, until another handle creates one', async () => {
    tamper('CREATE TABLE documents (doc_id TEXT)');
    const reader = await vectors.open(true);
    expect(await reader.count(NAME)).toBeNull();
    expect(await codeOf(() => ask(reader))).toBe('vector_store_unreachable');
    await filled(sampleRecords(10, 8));
    expect(await ask(reader)).toHaveLength(10);
  });

  it('reports a missing file, a folder, and a file of a newer version', async () => {
    expect(await codeOf(() => vectors.open(true))).toBe('vector_store_unreachable');
    const config = { file: vectors.folder, readonly: false };
    expect(await codeOf(async () => plugin.contributes.vector_store?.['local']?.({ config } as never))).toBe(
      'vector_store_unreachable',
    );
    await filled(sampleRecords(3, 8));
    vectors.closeAll();
    tamper("UPDATE vector_meta SET value = 99 WHERE key = 'schema'");
    expect(await codeOf(() => vectors.open(true))).toBe('vector_store_unreachable');
    expect(await codeOf(() => vectors.open())).toBe('vector_store_unreachable');
  });

  it.each([
    ['codes of a wrong length', "UPDATE vector_codes SET codes = x'00'"],
    ['codes that are gone', 'DELETE FROM vector_codes'],
    ['scales of a wrong length', "UPDATE vector_segments SET scales = x'0000'"],
    ['ids of a wrong length', 'UPDATE vector_segments SET ids = substr(ids, 2)'],
    ['a segment that is gone', 'DELETE FROM vector_segments WHERE segment % 16777216 = 1'],
    ['vectors that are gone', 'DELETE FROM vector_rows'],
    ['vectors of a wrong length', "UPDATE vector_rows SET vector = x'00000000'"],
    ['a table that is gone', 'DROP TABLE vector_slots; DROP TABLE vector_rows'],
  ])('says that it is damaged: %s', async (_, sql) => {
    const records = sampleRecords(1000, 8);
    await filled(records);
    vectors.closeAll();
    tamper(sql);
    const chunkIds = new Set(records.map(({ chunkId }) => chunkId));
    const search = { vector: sampleVector(8, numbersFrom(5)), limit: 10, allow: { kind: 'only', chunkIds } as const };
    const reader = await vectors.open(true);
    for (let round = 0; round < 2; round++)
      expect(await codeOf(() => reader.search(NAME, search))).toBe('store_damaged');
  });

  it.each([
    ['codes of a wrong length', "UPDATE vector_codes SET codes = x'00'", 1000],
    ['codes that are gone', 'DELETE FROM vector_codes', 1000],
    ['a table of codes that is gone', 'DROP TABLE vector_codes', 1000],
    ['scales of a wrong length', "UPDATE vector_segments SET scales = x'0000'", 1000],
    ['a segment that is gone', 'DELETE FROM vector_segments WHERE segment % 16777216 = 1', 1000],
    ['places that are gone', 'DELETE FROM vector_slots', 1000],
    ['facts that are gone', 'DELETE FROM vector_meta', 1000],
    ['some vectors that are gone', 'DELETE FROM vector_rows WHERE slot % 10 = 3', 900],
    ['vectors of a wrong length', "UPDATE vector_rows SET vector = x'00' WHERE slot % 2 = 0", 500],
    ['all vectors gone', 'DROP TABLE vector_rows', 0],
  ])('finds damage and builds again what it can: %s', async (_, sql, left) => {
    const records = sampleRecords(1000, 8);
    await filled(records);
    const before = await ask(await vectors.open(true));
    vectors.closeAll();
    tamper(sql);
    expect(await (await vectors.open(true)).checkIntegrity()).not.toEqual([]);
    vectors.closeAll();
    const store = await vectors.open();
    const found = await store.repair({ dryRun: true });
    expect(await store.repair({ dryRun: false })).toEqual(found);
    expect([await store.checkIntegrity(), await store.count(NAME)]).toEqual([[], left]);
    if (left === 1000) expect(await ask(store)).toEqual(before);
    await store.upsert(NAME, records);
    expect(await ask(store)).toEqual(before);
    expect(await store.repair({ dryRun: false })).toEqual([]);
  });

  it('reports a full disk, and keeps its data', async () => {
    await filled(sampleRecords(200, 64));
    const store = await vectors.open(false, (db) => db.pragma('max_page_count = 1'));
    expect(await codeOf(() => store.upsert(NAME, sampleRecords(2000, 64, 9)))).toBe('io_error');
    expect(await store.count(NAME)).toBe(200);
    expect(await ask(store, 64)).toEqual(await ask(await vectors.open(true), 64));
  });

  it('reports that another process keeps writing, while readers continue', async () => {
    await filled(sampleRecords(20, 8));
    const other = new Sqlite(vectors.file);
    other.exec('BEGIN IMMEDIATE');
    const store = await vectors.open(false, (db) => db.pragma('busy_timeout = 10'));
    expect(await codeOf(() => store.upsert(NAME, sampleRecords(1, 8)))).toBe('locked');
    expect(await ask(store)).toHaveLength(10);
    other.close();
    expect(await codeOf(() => store.upsert(NAME, sampleRecords(1, 8)))).toBe('none');
  });

  it('stops between batches when its signal fires', async () => {
    const store = await filled(sampleRecords(1, 8));
    const abort = new AbortController();
    const writing = store.upsert(NAME, sampleRecords(5000, 8), { signal: abort.signal });
    setImmediate(() => abort.abort());
    expect(await codeOf(() => writing)).toBe('cancelled');
    const count = (await store.count(NAME)) ?? 0;
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThan(5000);
  });

  it('is what the plugin contributes', async () => {
    writeFileSync(vectors.file, '');
    const context = { config: { file: vectors.file, readonly: false } };
    const store = await plugin.contributes.vector_store?.['local']?.(context as never);
    expect(store?.id).toBe('local');
    expect(store?.fingerprint?.()).toContain('local@');
    await store?.close?.();
  });
});
