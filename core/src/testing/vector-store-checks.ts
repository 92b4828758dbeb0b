import assert from 'node:assert/strict';
import type { ChunkFilter, VectorHit, VectorRecord, VectorSearch, VectorStore } from '../contracts/vector-store.ts';
import { exactSearch, numbersFrom, sampleVector } from './sample-vectors.ts';

/** A vector store without collections. */
export interface OpenVectorStore {
  readonly store: VectorStore;
  /** Another handle on the same vectors, as another process has. */
  readonly another: () => Promise<VectorStore>;
  /** Makes the vectors unreachable: the file damaged, the server gone. */
  readonly destroy: () => void | Promise<void>;
  /** Opens the store as it is found after {@link destroy}; may throw what the store has to say. */
  readonly reopen: () => Promise<VectorStore>;
  /** Clears the damage away as its user would, and opens an empty store. */
  readonly rebuild: () => Promise<VectorStore>;
  readonly close?: () => void | Promise<void>;
}

/** One promise of a vector store, checked on a store of its own. */
export type VectorStoreCase = readonly [name: string, check: (opened: OpenVectorStore) => Promise<void>];

/** The collection that the cases of the suite use. */
export const NAME = 'chunk_embeddings_sample';
/** A filter that lets everything through. */
export const ALL: ChunkFilter = { kind: 'all' };

/** Makes the collection {@link NAME} and fills it; returns the records. */
export async function fill(store: VectorStore, records: readonly VectorRecord[]): Promise<readonly VectorRecord[]> {
  await store.ensureCollection(NAME, records[0]?.vector.length ?? 1);
  await store.upsert(NAME, records);
  return records;
}

/** `count` queries with one limit and filter. */
export function searches(
  dimensions: number,
  { limit, allow = ALL }: { readonly limit: number; readonly allow?: ChunkFilter },
  count = 10,
): readonly VectorSearch[] {
  const random = numbersFrom(4242);
  return Array.from({ length: count }, () => ({ vector: sampleVector(dimensions, random), limit, allow }));
}

/** Compares a store with the exact scan: all hits allowed, scores right and falling, at least 0.99 of the best found. */
export async function agrees(
  store: VectorStore,
  records: readonly VectorRecord[],
  rounds: readonly VectorSearch[],
): Promise<void> {
  let found = 0;
  let wanted = 0;
  for (const search of rounds) {
    const hits = await store.search(NAME, search);
    const allowed = exactSearch(records, { ...search, limit: records.length });
    const exact = allowed.slice(0, search.limit);
    assert.equal(hits.length, exact.length, 'as many hits as the filter leaves');
    checkHits(hits, allowed);
    const worst = exact.at(-1)?.score ?? 0;
    found += hits.filter(({ score }) => score >= worst - 1e-5).length;
    wanted += exact.length;
  }
  assert.ok(found >= 0.99 * wanted, `recall ${found} of ${wanted}`);
}

function checkHits(hits: readonly VectorHit[], allowed: readonly VectorHit[]): void {
  const exact = new Map(allowed.map((hit) => [hit.chunkId, hit]));
  let last = Infinity;
  for (const { chunkId, embeddingId, score } of hits) {
    const expected = exact.get(chunkId);
    assert.ok(expected !== undefined, `${chunkId} is let through by the filter`);
    assert.equal(embeddingId, expected.embeddingId);
    assert.ok(Math.abs(score - expected.score) < 1e-4, `${score} is the cosine ${expected.score}`);
    assert.ok(score <= last, 'scores fall');
    last = score;
  }
}
