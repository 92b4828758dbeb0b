import type { DocumentStore } from '../contracts/document-store.ts';
import type { SearchFilters } from '../domain/query.ts';
import type { Ranking } from './rank-chunks.ts';

/** The inputs of a list of documents. */
interface NewestFirstRequest {
  readonly filters: SearchFilters;
  /** How many documents are needed. */
  readonly needed: number;
  readonly store: Pick<DocumentStore, 'listDocuments' | 'listChunks'>;
}

/** The documents that pass the filters, newest first, each as its first chunk: the answer to a query without words. */
export async function newestFirst({ filters, needed, store }: NewestFirstRequest): Promise<Ranking> {
  const started = performance.now();
  const { documents, total } = await store.listDocuments(filters, { offset: 0, limit: needed, newestFirst: true });
  const chunks = await Promise.all(documents.map(({ docId }) => store.listChunks(docId, 0, 1)));
  const lexical = chunks.flat().map(({ chunkId }, at) => ({ chunkId, score: 0, rank: at + 1 }));
  const entries = lexical.map(({ chunkId, ...rank }) => ({
    chunkId,
    score: 0,
    lexical: rank,
    vector: null,
    fusionScore: null,
  }));
  return {
    entries,
    complete: documents.length === total,
    mode: 'lexical',
    stages: ['lexical'],
    degraded: [],
    lexical,
    vector: [],
    contributed: [],
    retrieved: entries,
    scale: null,
    fusion: null,
    lexicalMs: performance.now() - started,
    vectorMs: 0,
    fusionMs: 0,
    rerankMs: 0,
  };
}
