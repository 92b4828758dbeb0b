import assert from 'node:assert/strict';
import type { ChunkFilter, VectorRecord, VectorStore, EmbeddingId } from '@kebab/core';
import {
  type VectorStoreCase,
  ALL,
  NAME,
  agrees,
  fill,
  searches,
  cosine,
  numbersFrom,
  sampleIds,
  sampleRecords,
  sampleVector,
} from './sample-vectors.ts';

const OTHER = 'chunk_embeddings_other';

/** The promises about writing, deleting and listing. */
export const changeCases: readonly VectorStoreCase[] = [
  [
    'creates a collection once, with one index id',
    async ({ store, another }) => {
      const indexId = await store.ensureCollection(NAME, 6);
      await store.upsert(NAME, sampleRecords(3, 6));
      assert.match(indexId, /^[0-9a-f]{32}$/);
      assert.equal(await (await another()).ensureCollection(NAME, 6), indexId);
      assert.equal(await store.count(NAME), 3);
      assert.notEqual(await store.ensureCollection(OTHER, 6), indexId);
    },
  ],
  [
    'keeps one vector per embedding id, the last one written',
    async ({ store }) => {
      const before = sampleRecords(300, 20, 1);
      const after = sampleRecords(300, 20, 2);
      await fill(store, before);
      await store.upsert(NAME, before);
      assert.equal(await store.count(NAME), 300);
      await agrees(store, before, searches(20, { limit: 10 }));
      await store.upsert(NAME, after);
      assert.equal(await store.count(NAME), 300);
      await agrees(store, after, searches(20, { limit: 10 }));
    },
  ],
  [
    'keeps the last of two records with the same id in one call',
    async ({ store }) => {
      const [first, second] = sampleRecords(2, 20);
      assert.ok(first !== undefined && second !== undefined);
      const last = { ...first, vector: second.vector };
      await fill(store, [first, last]);
      assert.equal(await store.count(NAME), 1);
      await agrees(store, [last], searches(20, { limit: 10 }));
    },
  ],
  [
    'hides a deleted vector from the next search of every handle',
    async ({ store, another }) => {
      const records = await fill(store, sampleRecords(600, 32));
      const reader = await another();
      await agrees(reader, records, searches(32, { limit: 10 }, 3));
      await agrees(reader, records, searches(32, { limit: 10 }, 3));
      const gone = records.filter((_, n) => n % 3 === 0);
      await store.delete(
        NAME,
        gone.map(({ embeddingId }) => embeddingId),
      );
      const left = records.filter((_, n) => n % 3 !== 0);
      for (const handle of [reader, store]) {
        await agrees(handle, left, searches(32, { limit: 20 }));
        assert.equal(await handle.count(NAME), left.length);
      }
    },
  ],
  [
    'deletes what exists when asked for more, and nothing when repeated',
    async ({ store }) => {
      const records = await fill(store, sampleRecords(5, 4));
      const ids = [sampleIds(99), ...records.slice(0, 2)].map(({ embeddingId }) => embeddingId);
      await store.delete(NAME, ids);
      await store.delete(NAME, ids);
      await store.delete(NAME, []);
      assert.deepEqual(
        await idsOf(store),
        records
          .slice(2)
          .map(({ embeddingId }) => embeddingId)
          .toSorted(),
      );
    },
  ],
  [
    'shows what one handle wrote to the next search of another',
    async ({ store, another }) => {
      const records = sampleRecords(900, 32);
      const reader = await another();
      await fill(store, records.slice(0, 300));
      for (const end of [300, 301, 600, 900]) {
        await store.upsert(NAME, records.slice(0, end));
        await agrees(reader, records.slice(0, end), searches(32, { limit: 10 }, 3));
      }
    },
  ],
  [
    'answers readers while a writer writes',
    async ({ store, another }) => {
      const records = sampleRecords(800, 16);
      await fill(store, records.slice(0, 100));
      const readers = await Promise.all([another(), another()]);
      const writing = (async () => {
        for (let at = 100; at < 800; at += 100) await store.upsert(NAME, records.slice(at, at + 100));
      })();
      const reading = readers.flatMap((reader) =>
        searches(16, { limit: 10 }).map(async (search) => {
          const hits = await reader.search(NAME, search);
          assert.equal(hits.length, 10);
        }),
      );
      await Promise.all([writing, ...reading]);
      for (const reader of readers) await agrees(reader, records, searches(16, { limit: 10 }));
    },
  ],
  [
    'lists every id once',
    async ({ store }) => {
      const records = await fill(store, sampleRecords(2500, 4));
      const ids = records.map(({ embeddingId }) => embeddingId);
      assert.deepEqual(await idsOf(store), ids.toSorted());
      await store.delete(NAME, ids.slice(0, 2000));
      assert.deepEqual(await idsOf(store), ids.slice(2000).toSorted());
    },
  ],
  [
    'returns every record with its unit vector',
    async ({ store }) => {
      const records = await fill(store, sampleRecords(600, 40));
      const back = new Map<EmbeddingId, VectorRecord>();
      for await (const record of store.records(NAME)) {
        assert.ok(!back.has(record.embeddingId), 'once');
        back.set(record.embeddingId, record);
      }
      assert.equal(back.size, records.length);
      for (const record of records) checkReturned(back.get(record.embeddingId), record);
    },
  ],
  [
    'keeps collections apart',
    async ({ store }) => {
      const records = await fill(store, sampleRecords(300, 10, 1));
      await store.ensureCollection(OTHER, 7);
      await store.upsert(OTHER, sampleRecords(50, 7, 2));
      assert.deepEqual(await store.listCollections(), [OTHER, NAME]);
      await agrees(store, records, searches(10, { limit: 10 }));
      await store.dropCollection(OTHER);
      assert.equal(await store.count(OTHER), null);
      assert.deepEqual(await store.listCollections(), [NAME]);
      assert.equal(await store.count(NAME), 300);
      await agrees(store, records, searches(10, { limit: 10 }));
    },
  ],
  [
    'drops a collection permanently, and recreates it with other dimensions',
    async ({ store, another }) => {
      const reader = await another();
      await agrees(reader, await fill(store, sampleRecords(300, 10)), searches(10, { limit: 10 }));
      await store.dropCollection(NAME);
      await store.dropCollection(NAME);
      const records = await fill(store, sampleRecords(300, 12, 5));
      await agrees(reader, records, searches(12, { limit: 10 }));
    },
  ],
  ['agrees with an exact scan after any history', anyHistory],
];

async function anyHistory({
  store,
  another,
}: {
  readonly store: VectorStore;
  readonly another: () => Promise<VectorStore>;
}) {
  const reader = await another();
  const random = numbersFrom(20_260);
  const below = (end: number): number => Math.floor(random() * end);
  const expected = new Map<number, VectorRecord>();
  await store.ensureCollection(NAME, 24);
  for (let round = 0; round < 25; round++) {
    if (random() < 0.65) {
      const written = Array.from({ length: 1 + below(120) }, () => below(900));
      const records = written.map((n) => ({ n, record: { ...sampleIds(n), vector: sampleVector(24, random) } }));
      for (const { n, record } of records) expected.set(n, record);
      await store.upsert(
        NAME,
        records.map(({ record }) => record),
      );
    } else {
      const gone = Array.from({ length: below(200) }, () => below(900));
      for (const n of gone) expected.delete(n);
      await store.delete(
        NAME,
        gone.map((n) => sampleIds(n).embeddingId),
      );
    }
    const allow: ChunkFilter =
      random() < 0.4
        ? ALL
        : { kind: 'only', chunkIds: new Set(Array.from({ length: 400 }, () => sampleIds(below(900)).chunkId)) };
    const handle = random() < 0.5 ? reader : store;
    await agrees(handle, [...expected.values()], searches(24, { limit: 10, allow }, 2));
  }
  assert.equal(await reader.count(NAME), expected.size);
  assert.deepEqual(await idsOf(reader), [...expected.values()].map(({ embeddingId }) => embeddingId).toSorted());
}

async function idsOf(store: VectorStore): Promise<readonly EmbeddingId[]> {
  const ids: EmbeddingId[] = [];
  for await (const id of store.listIds(NAME)) ids.push(id);
  return ids.toSorted();
}

function checkReturned(found: VectorRecord | undefined, expected: VectorRecord): void {
  assert.ok(found !== undefined, `${expected.embeddingId} came back`);
  assert.equal(found.chunkId, expected.chunkId);
  assert.equal(found.docId, expected.docId);
  assert.ok(cosine(found.vector, expected.vector) > 1 - 1e-6, 'the direction is kept');
  const length = Math.sqrt(found.vector.reduce((sum, x) => sum + x * x, 0));
  assert.ok(Math.abs(length - 1) < 1e-5, `${length} is 1`);
}
