import assert from 'node:assert/strict';
import { casesOn, isCancelled, type ContractSuite } from './contract-suite.ts';
import {
  type OpenVectorStore,
  type VectorStoreCase,
  ALL,
  NAME,
  agrees,
  fill,
  searches,
  sampleRecords,
  exactSearch,
  numbersFrom,
  sampleIds,
  sampleVector,
} from './sample-vectors.ts';
import { changeCases } from './vector-store-changes.ts';
import { type VectorRecord, type VectorStore, type ChunkFilter, isKebabError, type ChunkId } from '@kebab/core';
import type { ErrorCode } from '@kebab/core/store';

/** Options of {@link vectorStoreSuite}. */
export interface VectorStoreSuiteOptions {
  readonly open: () => Promise<OpenVectorStore>;
}

/**
 * The contract suite of a vector store: exact order, filters before top-k, idempotent upserts, deletes visible at once, concurrent readers,
 * accurate errors, and complete after being rebuilt.
 */
export function vectorStoreSuite({ open }: VectorStoreSuiteOptions): ContractSuite {
  const promise = casesOn(open);
  const cases = [...searchCases, ...changeCases, ...failureCases].map(([name, check]) => promise(name, check));
  return { contract: 'VectorStore', cases };
}

/** The promises about failures. */
const failureCases: readonly VectorStoreCase[] = [
  [
    'rejects vectors that are not finite, zero or of another length, and writes nothing of the call',
    async ({ store }) => {
      const records = await fill(store, sampleRecords(10, 4));
      for (const vector of badVectors()) {
        const good = sampleRecords(12, 4, 3);
        const bad = good.map((record, n) => (n === 11 ? { ...record, vector } : record));
        await rejects(() => store.upsert(NAME, bad), 'invalid_input');
        await rejects(() => store.search(NAME, { vector, limit: 3, allow: ALL }), 'invalid_input');
      }
      assert.equal(await store.count(NAME), 10);
      await agrees(store, records, searches(4, { limit: 10 }));
    },
  ],
  [
    'says that a collection is missing',
    async ({ store }) => {
      const [record] = sampleRecords(1, 4);
      assert.ok(record !== undefined);
      assert.equal(await store.count(NAME), null);
      assert.deepEqual(await store.listCollections(), []);
      for (const use of uses(store, record)) await rejects(use, 'vector_store_unreachable');
      await store.dropCollection(NAME);
    },
  ],
  [
    'reports that a collection disappeared, and can recreate it',
    async ({ store, another }) => {
      const records = await fill(store, sampleRecords(300, 4));
      await agrees(store, records, searches(4, { limit: 10 }, 2));
      await (await another()).dropCollection(NAME);
      const [search] = searches(4, { limit: 10 }, 1);
      assert.ok(search !== undefined);
      await rejects(() => store.search(NAME, search), 'vector_store_unreachable');
      await fill(store, records);
      await agrees(store, records, searches(4, { limit: 10 }));
    },
  ],
  [
    'refuses a collection of other dimensions',
    async ({ store }) => {
      await fill(store, sampleRecords(3, 4));
      await rejects(() => store.ensureCollection(NAME, 5), 'vector_store_unreachable');
      assert.equal(await store.count(NAME), 3);
    },
  ],
  [
    'stops when its signal has fired, and writes nothing',
    async ({ store }) => {
      const records = await fill(store, sampleRecords(3, 4));
      const [record] = records;
      assert.ok(record !== undefined);
      const signal = AbortSignal.abort();
      for (const use of uses(store, record, signal)) await assert.rejects(use, isCancelled);
      assert.equal(await store.count(NAME), 3);
    },
  ],
  [
    'reports that it is unreachable when it is gone or damaged, and is complete when rebuilt',
    async (opened) => {
      const { store, destroy } = opened;
      const records = await fill(store, sampleRecords(600, 24));
      await agrees(store, records, searches(24, { limit: 10 }));
      await destroy();
      for (const at of uses(store, sampleRecords(1, 24)[0] as VectorRecord).keys())
        await rejects(async () => {
          const found = await opened.reopen();
          await uses(found, sampleRecords(1, 24)[0] as VectorRecord)[at]?.();
        }, 'vector_store_unreachable');
      const again = await opened.rebuild();
      await fill(again, records);
      await agrees(again, records, searches(24, { limit: 10 }));
    },
  ],
];

/** Every operation that needs the collection of a record. */
function uses(store: VectorStore, record: VectorRecord, signal?: AbortSignal): readonly (() => Promise<unknown>)[] {
  const options = { signal };
  const { embeddingId, vector } = record;
  return [
    () => store.upsert(NAME, [record], options),
    () => store.delete(NAME, [embeddingId], options),
    () => store.search(NAME, { vector, limit: 3, allow: ALL }, options),
    () => drain(store.listIds(NAME, options)),
    () => drain(store.records(NAME, options)),
  ];
}

async function drain(items: AsyncIterable<unknown>): Promise<void> {
  for await (const item of items) assert.ok(item !== undefined);
}

async function rejects(use: () => Promise<unknown>, code: ErrorCode): Promise<void> {
  await assert.rejects(use, (error) => {
    assert.ok(isKebabError(error, code), `${code} was expected, not ${String(error)}`);
    assert.notEqual(error.hint, '');
    return true;
  });
}

function badVectors(): readonly Float32Array[] {
  return [[0, 0, 0, 0], [1, Number.NaN, 0, 0], [1, Infinity, 0, 0], [1, 0, 0], [1, 0, 0, 0, 0], []].map((numbers) =>
    Float32Array.from(numbers),
  );
}

/** More than fit into one segment of any known store. */
const MANY = 700;

/** The promises about searching. */
const searchCases: readonly VectorStoreCase[] = [
  ...[5, 64, 384].map((dimensions): VectorStoreCase => [
    `finds the nearest of ${dimensions} dimensions in cosine order`,
    async ({ store }) => {
      const records = await fill(store, sampleRecords(MANY, dimensions));
      await agrees(store, records, searches(dimensions, { limit: 10 }));
      await agrees(store, records, searches(dimensions, { limit: 150 }, 3));
    },
  ]),
  [
    'returns as many hits as are requested and exist',
    async ({ store }) => {
      const [vector] = await fillAndAsk(store, 20);
      for (const [limit, expected] of [
        [0, 0],
        [1, 1],
        [20, 20],
        [1000, 20],
      ] as const) {
        const hits = await store.search(NAME, { vector, limit, allow: ALL });
        assert.equal(hits.length, expected, `limit ${limit}`);
        assert.equal(new Set(hits.map(({ embeddingId }) => embeddingId)).size, expected, 'each once');
      }
    },
  ],
  [
    'finds nothing in an empty collection',
    async ({ store }) => {
      await store.ensureCollection(NAME, 3);
      assert.deepEqual(await store.search(NAME, { vector: Float32Array.of(1, 0, 0), limit: 10, allow: ALL }), []);
      assert.equal(await store.count(NAME), 0);
    },
  ],
  [
    'returns the same list twice, and to every handle',
    async ({ store, another }) => {
      const [vector] = await fillAndAsk(store, MANY);
      const search = { vector, limit: 50, allow: ALL };
      const first = await store.search(NAME, search);
      assert.deepEqual(await store.search(NAME, search), first);
      assert.deepEqual(await (await another()).search(NAME, search), first);
    },
  ],
  [
    'uses only the direction of vectors of any length',
    async ({ store }) => {
      const records = sampleRecords(10, 8).map((record, n) => ({
        ...record,
        vector: record.vector.map((x) => x * 10 ** (n - 5)),
      }));
      await fill(store, records);
      await agrees(store, records, searches(8, { limit: 10 }));
      await agrees(
        store,
        records,
        searches(8, { limit: 10 }).map((search) => ({ ...search, vector: search.vector.map((x) => x * 1e4) })),
      );
    },
  ],
  [
    'returns equal vectors together',
    async ({ store }) => {
      const vector = sampleVector(16, numbersFrom(9));
      await fill(
        store,
        sampleRecords(MANY, 16).map((record, n) => (n % 7 === 0 ? { ...record, vector } : record)),
      );
      const hits = await store.search(NAME, { vector, limit: MANY / 7, allow: ALL });
      for (const { score } of hits) assert.ok(Math.abs(score - 1) < 1e-4, `${score} is 1`);
    },
  ],
  ['filters by chunk before the limit', (opened) => filters(opened.store, onlyEvery)],
  ['filters by document before the limit', (opened) => filters(opened.store, documentsEvery)],
  [
    'leaves out excepted chunks, and fills their places',
    async ({ store }) => {
      const records = await fill(store, sampleRecords(MANY, 48));
      const rounds = searches(48, { limit: 10 }).flatMap((search) => {
        const best = exactSearch(records, { ...search, limit: 40 }).map(({ chunkId }) => chunkId);
        const except: ReadonlySet<ChunkId> = new Set(best);
        return [ALL, onlyEvery(records, 2), documentsEvery(records, 2)].map((allow) => ({ ...search, allow, except }));
      });
      await agrees(store, records, rounds);
    },
  ],
  [
    'accepts filters that name more than the collection contains, and filters that name nothing',
    async ({ store }) => {
      const records = await fill(store, sampleRecords(40, 12));
      const unknown = Array.from({ length: 20_000 }, (_, n) => sampleIds(1_000_000 + n));
      const chunkIds = new Set([...unknown, ...records.slice(30)].map(({ chunkId }) => chunkId));
      const docIds = new Set([...unknown, ...records.slice(30)].map(({ docId }) => docId));
      for (const allow of [{ kind: 'only', chunkIds } as const, { kind: 'documents', docIds } as const])
        await agrees(store, records, searches(12, { limit: 20, allow }, 3));
      const vector = sampleVector(12, numbersFrom(8));
      for (const allow of [
        { kind: 'only', chunkIds: new Set<ChunkId>() } as const,
        { kind: 'documents', docIds: new Set(unknown.map(({ docId }) => docId)) } as const,
      ])
        assert.deepEqual(await store.search(NAME, { vector, limit: 10, allow }), []);
    },
  ],
];

/** Every `step`-th record by its chunk. */
const onlyEvery = (records: readonly VectorRecord[], step: number): ChunkFilter => ({
  kind: 'only',
  chunkIds: new Set(records.filter((_, n) => n % step === 0).map(({ chunkId }) => chunkId)),
});

/** The records of every `step`-th document. */
const documentsEvery = (records: readonly VectorRecord[], step: number): ChunkFilter => ({
  kind: 'documents',
  docIds: new Set(records.filter((_, n) => (n >> 3) % step === 0).map(({ docId }) => docId)),
});

async function filters(store: VectorStore, every: typeof onlyEvery): Promise<void> {
  const records = await fill(store, sampleRecords(MANY, 48));
  for (const step of [2, 9, 80]) {
    const allow = every(records, step);
    await agrees(store, records, searches(48, { limit: 10, allow }, 4));
  }
}

async function fillAndAsk(store: VectorStore, count: number): Promise<readonly [Float32Array]> {
  await fill(store, sampleRecords(count, 24));
  return [sampleVector(24, numbersFrom(77))];
}
