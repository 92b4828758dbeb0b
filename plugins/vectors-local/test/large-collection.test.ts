import { isKebabError, type ChunkFilter, type VectorRecord, type VectorSearch, type VectorStore } from '@kebab/core';
import { exactSearch, numbersFrom, sampleIds, sampleRecords, sampleVector } from '@kebab/core/testing';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openVectorFile } from '../src/database/open-vector-file.ts';
import { LocalVectorStore } from '../src/local-vector-store.ts';
import { ALWAYS, NEVER, VectorFile } from './open-local-store.ts';

const NAME = 'chunk_embeddings_sample';
const DIMENSIONS = 96;
const ALL: ChunkFilter = { kind: 'all' };

let vectors: VectorFile;
beforeEach(() => {
  vectors = new VectorFile(ALWAYS);
});
afterEach(() => vectors.remove());

async function filled(records: readonly VectorRecord[], store?: VectorStore): Promise<VectorStore> {
  const into = store ?? (await vectors.open());
  await into.ensureCollection(NAME, DIMENSIONS);
  await into.upsert(NAME, records);
  return into;
}

const searchFor = (seed: number, more: Partial<VectorSearch> = {}): VectorSearch => ({
  vector: sampleVector(DIMENSIONS, numbersFrom(seed)),
  limit: 10,
  allow: ALL,
  ...more,
});

/** The recall compared with an exact search, over some queries. */
async function recall(
  store: VectorStore,
  records: readonly VectorRecord[],
  more: Partial<VectorSearch> = {},
): Promise<number> {
  let [found, all] = [0, 0];
  for (let seed = 1; seed <= 30; seed++) {
    const search = searchFor(seed * 101, more);
    const exact = new Set(exactSearch(records, search).map(({ embeddingId }) => embeddingId));
    const hits = await store.search(NAME, search);
    expect(hits.length).toBe(exact.size);
    expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).toSorted((a, b) => b - a));
    found += hits.filter(({ embeddingId }) => exact.has(embeddingId)).length;
    all += exact.size;
  }
  return found / all;
}

/** Runs SQL on the file, as another program would. */
function tamper(sql: string): void {
  const db = new Sqlite(vectors.file);
  db.exec(sql);
  db.close();
}

/** Whether a search does without codes: otherwise it fails when they are missing. */
async function searchesBySigns(store?: VectorStore): Promise<boolean> {
  tamper(
    'ALTER TABLE vector_codes RENAME TO hidden; CREATE TABLE vector_codes (segment INTEGER PRIMARY KEY, codes BLOB NOT NULL)',
  );
  try {
    await (store ?? (await vectors.open(true))).search(NAME, searchFor(1));
    return true;
  } catch (error) {
    if (isKebabError(error, 'store_damaged')) return false;
    throw error;
  } finally {
    tamper('DROP TABLE vector_codes; ALTER TABLE hidden RENAME TO vector_codes');
  }
}

const some = (records: readonly VectorRecord[], step: number): readonly VectorRecord[] =>
  records.filter((_, n) => n % step === 0);

describe('a large collection', () => {
  it('is searched by signs, with the recall of an exact search, for any filter, streamed and cached', async () => {
    const records = sampleRecords(5000, DIMENSIONS);
    await filled(records);
    expect(await searchesBySigns()).toBe(true);
    const filters: readonly Partial<VectorSearch>[] = [
      {},
      { limit: 200 },
      { allow: { kind: 'only', chunkIds: new Set(some(records, 3).map(({ chunkId }) => chunkId)) } },
      { allow: { kind: 'documents', docIds: new Set(some(records, 40).map(({ docId }) => docId)) } },
      { except: new Set(some(records, 2).map(({ chunkId }) => chunkId)) },
      { allow: { kind: 'only', chunkIds: new Set(some(records, 1000).map(({ chunkId }) => chunkId)) } },
    ];
    const remembering = await vectors.open(true);
    for (const filter of filters) {
      expect(await recall(await vectors.open(true), records, filter)).toBeGreaterThanOrEqual(0.99);
      expect(await recall(remembering, records, filter)).toBeGreaterThanOrEqual(0.99);
    }
  });

  it('reflects writes, deletions and changes of another handle, also after reopening', async () => {
    let records = sampleRecords(3000, DIMENSIONS);
    const writer = await filled(records);
    const reader = await vectors.open(true);
    for (let round = 0; round < 4; round++) {
      expect(await recall(reader, records)).toBeGreaterThanOrEqual(0.99);
      const gone = new Set(records.filter((_, n) => n % 7 === round).map(({ embeddingId }) => embeddingId));
      await writer.delete(NAME, [...gone]);
      const random = numbersFrom(round + 50);
      const changed = records.filter((_, n) => n % 11 === round && !gone.has(records[n]?.embeddingId as never));
      const added = Array.from({ length: 150 }, (_, n) => ({
        ...sampleIds(10_000 + round * 1000 + n),
        vector: sampleVector(DIMENSIONS, random),
      }));
      const rewritten = changed.map((record) => ({ ...record, vector: sampleVector(DIMENSIONS, random) }));
      await writer.upsert(NAME, [...rewritten, ...added]);
      const others = new Map(rewritten.map((record) => [record.embeddingId, record]));
      records = [
        ...records
          .filter(({ embeddingId }) => !gone.has(embeddingId))
          .map((record) => others.get(record.embeddingId) ?? record),
        ...added,
      ];
    }
    expect(await recall(reader, records)).toBeGreaterThanOrEqual(0.99);
    expect(await recall(await vectors.open(true), records)).toBeGreaterThanOrEqual(0.99);
    expect(await searchesBySigns(reader)).toBe(true);
    expect(await reader.checkIntegrity?.()).toEqual([]);
  });

  it('with a small change is searched without reading the unchanged signs again', async () => {
    const records = sampleRecords(5000, DIMENSIONS);
    const writer = await filled(records);
    const reader = await vectors.open(true);
    for (let time = 0; time < 2; time++) await reader.search(NAME, searchFor(3));
    const ids = (await reader.search(NAME, searchFor(3))).map(({ embeddingId }) => embeddingId);
    await writer.delete(NAME, ids.slice(0, 1));
    const added = { ...sampleIds(9000), vector: searchFor(3).vector };
    await writer.upsert(NAME, [added]);
    tamper(
      "UPDATE vector_signs SET signs = x'00', seconds = x'00' WHERE codes_version < (SELECT max(codes_version) FROM vector_signs)",
    );
    expect(await searchesBySigns(reader)).toBe(true);
    const found = (await reader.search(NAME, searchFor(3))).map(({ embeddingId }) => embeddingId);
    expect(found.slice(0, 2)).toEqual([added.embeddingId, ids[1]]);
    expect(await searchesBySigns(await vectors.open(true))).toBe(false);
  });

  it('writes the same signs for a change as a complete rebuild', async () => {
    const records = sampleRecords(2000, DIMENSIONS);
    const store = await filled(records);
    await store.delete(
      NAME,
      some(records, 5).map(({ embeddingId }) => embeddingId),
    );
    await store.upsert(NAME, some(sampleRecords(2000, DIMENSIONS, 77), 3));
    const signs = (): unknown => {
      const db = new Sqlite(vectors.file, { readonly: true });
      const rows = db
        .prepare('SELECT segment, hex(signs), hex(seconds) FROM vector_signs ORDER BY segment')
        .raw()
        .all();
      db.close();
      return rows;
    };
    const written = signs();
    tamper('DELETE FROM vector_signs; UPDATE vector_centres SET signed = 0');
    await store.ensureCollection(NAME, DIMENSIONS);
    expect(signs()).toEqual(written);
  });

  it('is defined by a size, gets its signs gradually, and is searched by codes until then', async () => {
    const records = sampleRecords(9000, DIMENSIONS);
    const large = { minVectors: 4000, minDimensions: 0, minBytes: 0 };
    const store = await filled(records.slice(0, 3900), await vectors.open(false, undefined, large));
    const reader = (): Promise<VectorStore> => vectors.open(true, undefined, large);
    for (let at = 3900; at < 4400; at += 100) {
      await store.upsert(NAME, records.slice(at, at + 100));
      const found = await (await reader()).search(NAME, searchFor(9));
      expect(found).toHaveLength(10);
    }
    expect(await searchesBySigns(await reader())).toBe(true);
    expect(await recall(await reader(), records.slice(0, 4400))).toBeGreaterThanOrEqual(0.99);
    await store.delete(
      NAME,
      records.slice(0, 1000).map(({ embeddingId }) => embeddingId),
    );
    expect(await searchesBySigns(await reader())).toBe(false);
    await store.upsert(NAME, records.slice(4400, 6400));
    expect(await recall(await reader(), records.slice(1000, 6400))).toBeGreaterThanOrEqual(0.99);
    await store.ensureCollection(NAME, DIMENSIONS);
    expect(await searchesBySigns(await reader())).toBe(true);
    expect(await recall(await reader(), records.slice(1000, 6400))).toBeGreaterThanOrEqual(0.99);
  });

  it('of an earlier version is searched exactly, gets its signs from the next ingest, and may be written by that version', async () => {
    const records = sampleRecords(4000, DIMENSIONS);
    const earlier = await filled(records.slice(0, 3000), await vectors.open(false, undefined, NEVER));
    const reader = await vectors.open(true);
    const exact = exactSearch(records.slice(0, 3000), searchFor(4)).map(({ chunkId }) => chunkId);
    const found = async (): Promise<readonly string[]> =>
      (await reader.search(NAME, searchFor(4))).map(({ chunkId }) => chunkId);
    for (let time = 0; time < 3; time++) expect(await found()).toEqual(exact);
    expect(await searchesBySigns()).toBe(false);
    const store = await vectors.open();
    await store.ensureCollection(NAME, DIMENSIONS);
    expect(await searchesBySigns()).toBe(true);
    await earlier.upsert(NAME, records.slice(3000));
    expect(await searchesBySigns()).toBe(false);
    expect(await found()).toEqual(exactSearch(records, searchFor(4)).map(({ chunkId }) => chunkId));
    expect(await recall(reader, records)).toBe(1);
    await store.ensureCollection(NAME, DIMENSIONS);
    expect(await searchesBySigns()).toBe(true);
    expect(await recall(reader, records)).toBeGreaterThanOrEqual(0.99);
  });

  it.each([
    [
      'bits that changed',
      'UPDATE vector_signs SET signs = zeroblob(length(signs)) WHERE segment % 3 = 1',
      'vector_signs',
    ],
    [
      'second bits that changed',
      'UPDATE vector_signs SET seconds = zeroblob(length(seconds)) WHERE segment % 3 = 1',
      'vector_signs',
    ],
    ['a wrong length', "UPDATE vector_signs SET signs = x'00'", 'vector_signs'],
    ['rows that are gone', 'DELETE FROM vector_signs WHERE segment % 4 = 2', 'vector_signs'],
    ['another centre', 'UPDATE vector_centres SET centre = zeroblob(length(centre))', 'vector_signs'],
    ['no centre', 'DELETE FROM vector_centres', null],
    ['a table that is gone', 'DROP TABLE vector_signs', null],
  ])('is searched exactly while its signs are damaged, and gets them back: %s', async (_, sql, reported) => {
    const records = sampleRecords(3000, DIMENSIONS);
    await filled(records);
    vectors.closeAll();
    tamper(sql);
    const reader = await vectors.open(true);
    for (let time = 0; time < 3; time++)
      expect((await reader.search(NAME, searchFor(6))).map(({ chunkId }) => chunkId)).toEqual(
        exactSearch(records, searchFor(6)).map(({ chunkId }) => chunkId),
      );
    const problems = (await reader.checkIntegrity?.()) ?? [];
    expect(problems.map((problem) => problem.split(':')[0])).toEqual(reported === null ? [] : [reported]);
    const store = await vectors.open();
    await store.repair?.({ dryRun: false });
    await store.ensureCollection(NAME, DIMENSIONS);
    expect(await store.checkIntegrity?.()).toEqual([]);
    expect(await searchesBySigns()).toBe(true);
    expect(await recall(await vectors.open(true), records)).toBeGreaterThanOrEqual(0.99);
  });

  it('with signs but without second signs is searched exactly, and gets both from the next ingest', async () => {
    const records = sampleRecords(3000, DIMENSIONS);
    await filled(records);
    vectors.closeAll();
    tamper('ALTER TABLE vector_signs DROP COLUMN seconds');
    expect(await searchesBySigns()).toBe(false);
    const reader = await vectors.open(true);
    expect(await recall(reader, records)).toBe(1);
    const store = await vectors.open();
    await store.ensureCollection(NAME, DIMENSIONS);
    expect(await searchesBySigns()).toBe(true);
    expect(await store.checkIntegrity?.()).toEqual([]);
  });

  it('leaves no signs behind when it is dropped', async () => {
    const store = await filled(sampleRecords(6000, DIMENSIONS));
    const ofVectors = 6000 * DIMENSIONS * 4 + Math.ceil(6000 / 256) * 256 * (DIMENSIONS + 32);
    expect(await store.storedBytes?.()).toBe(ofVectors + Math.ceil(6000 / 256) * 256 * (DIMENSIONS / 4 + 12));
    await store.dropCollection(NAME);
    expect(await store.storedBytes?.()).toBe(0);
    const db = new Sqlite(vectors.file, { readonly: true });
    for (const table of ['vector_signs', 'vector_centres'])
      expect(db.prepare(`SELECT count(*) FROM ${table}`).pluck().get(), table).toBe(0);
    db.close();
  });

  it('comes with the advice to use a server from a size on', async () => {
    const store = await filled(sampleRecords(400, DIMENSIONS));
    expect(await store.advise?.()).toBeNull();
    const config = { file: vectors.file, readonly: true };
    const outgrown = { minVectors: 400, minDimensions: 0, minBytes: 400 * DIMENSIONS };
    const reader = new LocalVectorStore(await openVectorFile(config), config, { outgrown });
    expect(await reader.advise()).toEqual({
      detail: expect.stringMatching(/^400 vectors of 96 dimensions /),
      hint: expect.stringContaining('kebab vectors copy --from local --to qdrant'),
    });
    await store.delete(NAME, [sampleIds(7).embeddingId]);
    expect(await reader.advise()).toBeNull();
    reader.close();
  });

  it('returns long lists exactly', async () => {
    const records = sampleRecords(3000, DIMENSIONS);
    const store = await filled(records);
    const search = searchFor(8, { limit: 1500 });
    expect((await store.search(NAME, search)).map(({ chunkId }) => chunkId)).toEqual(
      exactSearch(records, search).map(({ chunkId }) => chunkId),
    );
  });
});
