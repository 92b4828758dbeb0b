import assert from 'node:assert/strict';
import type {
  ChunkFilter,
  VectorHit,
  VectorRecord,
  VectorSearch,
  VectorStore,
  ChunkId,
  DocumentId,
  EmbeddingId,
} from '@kebab/core';
import { mintId } from '@kebab/core/suites';

/** A seeded source of numbers in [0, 1). */
export function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** A vector of any non-zero length, near one of a few centres, as embeddings are. */
export function sampleVector(dimensions: number, random: () => number): Float32Array {
  const centre = Math.floor(random() * 8);
  const length = 0.5 + random();
  return Float32Array.from(
    { length: dimensions },
    (_, at) => length * (Math.sin(centre * 7 + at * 1.3) + 1.6 * (random() - 0.5)),
  );
}

/** The ids of the n-th chunk; eight chunks form a document. */
export function sampleIds(n: number): Pick<VectorRecord, 'embeddingId' | 'chunkId' | 'docId'> {
  return {
    embeddingId: mintId({ embedding: n }) as EmbeddingId,
    chunkId: mintId({ chunk: n }) as ChunkId,
    docId: mintId({ doc: n >> 3 }) as DocumentId,
  };
}

/** `count` records with distinct vectors. */
export function sampleRecords(count: number, dimensions: number, seed = 1): readonly VectorRecord[] {
  const random = numbersFrom(seed);
  return Array.from({ length: count }, (_, n) => ({ ...sampleIds(n), vector: sampleVector(dimensions, random) }));
}

/** Whether a search may return a record. */
export function isAllowed(
  { chunkId, docId }: VectorRecord,
  allow: ChunkFilter,
  except?: ReadonlySet<ChunkId>,
): boolean {
  if (except?.has(chunkId) === true) return false;
  switch (allow.kind) {
    case 'all':
      return true;
    case 'only':
      return allow.chunkIds.has(chunkId);
    case 'documents':
      return allow.docIds.has(docId);
    default:
      return allow satisfies never;
  }
}

/** The exact result of a vector search, by the definition of cosine; ties by chunk id. */
export function exactSearch(records: Iterable<VectorRecord>, search: VectorSearch): readonly VectorHit[] {
  return [...records]
    .filter((record) => isAllowed(record, search.allow, search.except))
    .map(({ embeddingId, chunkId, vector }) => ({ embeddingId, chunkId, score: cosine(search.vector, vector) }))
    .toSorted((a, b) => b.score - a.score || (a.chunkId < b.chunkId ? -1 : 1))
    .slice(0, search.limit);
}

/** The cosine of the angle between two vectors. */
export function cosine(a: Float32Array, b: Float32Array): number {
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}

/** A vector store without collections. */
export interface OpenVectorStore {
  readonly store: VectorStore;
  /** Another handle to the same vectors, as in another process. */
  readonly another: () => Promise<VectorStore>;
  /** Makes the vectors unreachable: a damaged file, a stopped server. */
  readonly destroy: () => void | Promise<void>;
  /** Opens the store in its state after {@link destroy}; may throw the store's error. */
  readonly reopen: () => Promise<VectorStore>;
  /** Removes the damage as a user would, and opens an empty store. */
  readonly rebuild: () => Promise<VectorStore>;
  readonly close?: () => void | Promise<void>;
}

/** One promise of a vector store, tested on its own store. */
export type VectorStoreCase = readonly [name: string, check: (opened: OpenVectorStore) => Promise<void>];

/** The collection that the cases of the suite use. */
export const NAME = 'chunk_embeddings_sample';
/** A filter that matches everything. */
export const ALL: ChunkFilter = { kind: 'all' };

/** Creates the collection {@link NAME} and fills it; returns the records. */
export async function fill(store: VectorStore, records: readonly VectorRecord[]): Promise<readonly VectorRecord[]> {
  await store.ensureCollection(NAME, records[0]?.vector.length ?? 1);
  await store.upsert(NAME, records);
  return records;
}

/** `count` queries with the same limit and filter. */
export function searches(
  dimensions: number,
  { limit, allow = ALL }: { readonly limit: number; readonly allow?: ChunkFilter },
  count = 10,
): readonly VectorSearch[] {
  const random = numbersFrom(4242);
  return Array.from({ length: count }, () => ({ vector: sampleVector(dimensions, random), limit, allow }));
}

/** Compares a store with the exact scan: all hits allowed, scores correct and decreasing, at least 0.99 of the best found. */
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
    assert.equal(hits.length, exact.length, 'as many hits as match the filter');
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
    assert.ok(expected !== undefined, `${chunkId} matches the filter`);
    assert.equal(embeddingId, expected.embeddingId);
    assert.ok(Math.abs(score - expected.score) < 1e-4, `${score} is the cosine ${expected.score}`);
    assert.ok(score <= last, 'scores fall');
    last = score;
  }
}
