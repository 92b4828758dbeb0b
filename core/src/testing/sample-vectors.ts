import type { ChunkFilter, VectorHit, VectorRecord, VectorSearch } from '../contracts/vector-store.ts';
import { mintId } from '../domain/minted-ids.ts';
import type { ChunkId, DocumentId, EmbeddingId } from '../domain/ids.ts';

/** A source of numbers in [0, 1) that gives the same ones each time. */
export function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** A vector of any length but zero, near one of a few centres as embeddings are. */
export function sampleVector(dimensions: number, random: () => number): Float32Array {
  const centre = Math.floor(random() * 8);
  const length = 0.5 + random();
  return Float32Array.from(
    { length: dimensions },
    (_, at) => length * (Math.sin(centre * 7 + at * 1.3) + 1.6 * (random() - 0.5)),
  );
}

/** The ids of the n-th chunk; eight chunks make a document. */
export function sampleIds(n: number): Pick<VectorRecord, 'embeddingId' | 'chunkId' | 'docId'> {
  return {
    embeddingId: mintId({ embedding: n }) as EmbeddingId,
    chunkId: mintId({ chunk: n }) as ChunkId,
    docId: mintId({ doc: n >> 3 }) as DocumentId,
  };
}

/** `count` records with vectors of their own. */
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

/** The exact answer to a vector search, by the definition of cosine; equal scores by chunk id. */
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
