import { describe, expect, it } from 'vitest';
import type { AbortOptions } from '../../src/contracts/contribution.ts';
import type { VectorHit, VectorRecord, VectorSearch } from '../../src/contracts/vector-store.ts';
import type { EmbeddingId } from '../../src/domain/ids.ts';
import { MemoryVectorStore, VectorMemory } from '../../src/testing/memory-vector-store.ts';
import { vectorStoreSuite } from '../../src/testing/vector-store-suite.ts';

class FiltersTooLate extends MemoryVectorStore {
  override async search(name: string, query: VectorSearch): Promise<readonly VectorHit[]> {
    const { allow } = query;
    const hits = await super.search(name, { ...query, allow: { kind: 'all' } });
    return allow.kind === 'only' ? hits.filter(({ chunkId }) => allow.chunkIds.has(chunkId)) : hits;
  }
}

class ForgetsToDelete extends MemoryVectorStore {
  override async delete(name: string, ids: readonly EmbeddingId[]): Promise<void> {
    await super.delete(name, ids.slice(1));
  }
}

class Misses extends MemoryVectorStore {
  override async search(name: string, query: VectorSearch): Promise<readonly VectorHit[]> {
    const hits = await super.search(name, { ...query, limit: query.limit + 1 });
    return hits.length > query.limit ? hits.slice(1) : hits;
  }
}

class WritesHalf extends MemoryVectorStore {
  override async upsert(name: string, records: readonly VectorRecord[], options?: AbortOptions): Promise<void> {
    for (const record of records) await super.upsert(name, [record], options);
  }
}

class ScalesScores extends MemoryVectorStore {
  override async search(name: string, query: VectorSearch): Promise<readonly VectorHit[]> {
    return (await super.search(name, query)).map((hit) => ({ ...hit, score: (hit.score + 1) / 2 }));
  }
}

type Store = new (memory: VectorMemory) => MemoryVectorStore;

/** Whether a store passes a case of the suite. */
async function keeps(StoreClass: Store, promise: string): Promise<boolean> {
  const { cases } = vectorStoreSuite({
    open: async () => {
      const memory = new VectorMemory();
      const open = async (): Promise<MemoryVectorStore> => new StoreClass(memory);
      return { store: await open(), another: open, destroy: () => {}, reopen: open, rebuild: open };
    },
  });
  const found = cases.find(({ name }) => name === promise);
  if (found === undefined) throw new Error(`the suite has no promise "${promise}"`);
  try {
    await found.run();
    return true;
  } catch {
    return false;
  }
}

describe('vectorStoreSuite', () => {
  it.each([
    ['filters after the limit', FiltersTooLate, 'filters by chunk before the limit'],
    ['forgets to delete', ForgetsToDelete, 'hides a deleted vector from the next search of every handle'],
    ['misses the best vector', Misses, 'finds the nearest of 64 dimensions in cosine order'],
    [
      'writes half of a rejected call',
      WritesHalf,
      'rejects vectors that are not finite, zero or of another length, and writes nothing of the call',
    ],
    ['scales its scores', ScalesScores, 'uses only the direction of vectors of any length'],
    [
      'is reachable when it should be gone',
      MemoryVectorStore,
      'reports that it is unreachable when it is gone or damaged, and is complete when rebuilt',
    ],
  ] as const)('fails for a store that %s', async (_, StoreClass, promise) => {
    expect(await keeps(StoreClass, promise)).toBe(false);
  });
});
