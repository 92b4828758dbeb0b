import assert from 'node:assert/strict';
import type { ContractCase, ContractSuite } from './contract-suite.ts';
import {
  type OpenVectorStore,
  type VectorStoreCase,
  ALL,
  NAME,
  agrees,
  fill,
  searches,
} from './vector-store-checks.ts';
import { changeCases } from './vector-store-changes.ts';
import { searchCases } from './vector-store-searches.ts';
import type { VectorRecord, VectorStore } from '../contracts/vector-store.ts';
import { isAbort } from '../errors/abort.ts';
import type { ErrorCode } from '../errors/codes.ts';
import { isKebabError } from '../errors/kebab-error.ts';
import { sampleRecords } from './sample-vectors.ts';

/** What {@link vectorStoreSuite} needs. */
export interface VectorStoreSuiteOptions {
  readonly open: () => Promise<OpenVectorStore>;
}

/**
 * The promises of a vector store: exact order, filters before top-k, idempotent upserts, deletes visible at once, concurrent
 * readers, honest errors, and nothing lost by building it again.
 */
export function vectorStoreSuite({ open }: VectorStoreSuiteOptions): ContractSuite {
  const promise = ([name, check]: VectorStoreCase): ContractCase => ({
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
  return { contract: 'VectorStore', cases: [...searchCases, ...changeCases, ...failureCases].map(promise) };
}

/** What happens when something is wrong. */
const failureCases: readonly VectorStoreCase[] = [
  [
    'refuses vectors that are not finite, zero or of another length, and writes nothing of the call',
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
    'says that a collection disappeared behind its back, and takes it again',
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
      const signal = AbortSignal.abort('enough');
      for (const use of uses(store, record, signal))
        await assert.rejects(use, (error) => isAbort(error) || isKebabError(error, 'cancelled'));
      assert.equal(await store.count(NAME), 3);
    },
  ],
  [
    'says that it is unreachable when it is gone or damaged, and is as it was when built again',
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

/** Everything that needs the collection of a record. */
function uses(store: VectorStore, record: VectorRecord, signal?: AbortSignal): readonly (() => Promise<unknown>)[] {
  const options = signal === undefined ? {} : { signal };
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
