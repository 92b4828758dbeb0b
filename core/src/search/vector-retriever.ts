import type { AbortOptions } from '../contracts/contribution.ts';
import type { DocumentStore } from '../contracts/document-store.ts';
import type { Embedder } from '../contracts/embedder.ts';
import type { LexicalIndex } from '../contracts/lexical-index.ts';
import type { RankedChunk, RetrievalRequest, Retriever } from '../contracts/retriever.ts';
import type { ChunkFilter, VectorHit, VectorStore } from '../contracts/vector-store.ts';
import type { ChunkId, DocumentId } from '../domain/ids.ts';
import { byPlace, type Place } from './place.ts';

/** What {@link VectorRetriever} needs. */
export interface VectorRetrieverInit {
  readonly embedder: Embedder;
  readonly vectors: VectorStore;
  readonly collection: string;
  readonly store: DocumentStore;
  readonly lexical: LexicalIndex;
  /** Where a chunk lies; asked only of chunks with equal scores. */
  readonly placeOf: (id: ChunkId) => Place;
}

const MAX_KEPT_VECTORS = 64;
const MAX_KEPT_FILTERS = 8;
/** Asked for beyond the limit, so that ties at its border can be told. */
const BEYOND = 8;

/** Ranks chunks by the cosine between their vectors and that of the query. */
export class VectorRetriever implements Retriever {
  readonly id = 'vector';
  readonly version = '1';
  readonly scoreKind = 'cosine';
  readonly #init: VectorRetrieverInit;
  readonly #queryVectors = new Map<string, Float32Array | null>();
  readonly #documents = new Map<string, ReadonlySet<DocumentId>>();

  constructor(init: VectorRetrieverInit) {
    this.#init = init;
  }

  fingerprint(): string {
    const { embedder, vectors } = this.#init;
    return `${this.id}@${this.version}+${embedder.fingerprint()}+${vectors.fingerprint()}`;
  }

  indexVersion(): string {
    return this.#init.collection;
  }

  async retrieve(request: RetrievalRequest, options: AbortOptions = {}): Promise<readonly RankedChunk[]> {
    if (request.limit < 1) return [];
    const vector = await this.#queryVector(request.query.embeddingText, options);
    if (vector === null) return [];
    const { store, collection } = this.#init;
    const except = store.vectors.unsettledChunks(collection);
    const allow = this.#allowed(request, { isSettled: except.size === 0, options });
    const hits = await this.#search(request.limit, { vector, allow, except }, options);
    return hits.map(({ chunkId, score }, at) => ({ chunkId, score, rank: at + 1 }));
  }

  async #queryVector(text: string, options: AbortOptions): Promise<Float32Array | null> {
    const known = this.#queryVectors.get(text);
    if (known !== undefined) return known;
    if (text.trim() === '') return null;
    const [vector] = await this.#init.embedder.embed([{ text, kind: 'query' }], options);
    keep(this.#queryVectors, text, { value: vector ?? null, max: MAX_KEPT_VECTORS });
    return vector ?? null;
  }

  #allowed(
    { query, filters }: RetrievalRequest,
    { isSettled, options }: { readonly isSettled: boolean; readonly options: AbortOptions },
  ): ChunkFilter {
    const { lexical, store } = this.#init;
    const chunkIds = lexical.admitted(query, filters, options);
    if (chunkIds !== null) return { kind: 'only', chunkIds };
    if (Object.values(filters).every((value) => value === undefined)) return { kind: 'all' };
    const key = `${store.corpusRevision()} ${JSON.stringify(filters)}`;
    let docIds = this.#documents.get(key);
    if (docIds === undefined) {
      docIds = store.documentIds(filters);
      keep(this.#documents, key, { value: docIds, max: MAX_KEPT_FILTERS });
    }
    return { kind: 'documents', docIds, ...(isSettled ? { where: filters } : {}) };
  }

  /** Equal scores in order of place, also at the border of the list: a longer list must begin with the shorter one. */
  async #search(
    limit: number,
    query: { readonly vector: Float32Array; readonly allow: ChunkFilter; readonly except: ReadonlySet<ChunkId> },
    options: AbortOptions,
  ): Promise<readonly VectorHit[]> {
    const { vectors, collection } = this.#init;
    for (let wanted = limit + BEYOND; ; wanted *= 4) {
      const hits = await vectors.search(collection, { ...query, limit: wanted }, options);
      const isWhole = hits.length < wanted || hits.at(-1)?.score !== hits[limit - 1]?.score;
      if (isWhole) return this.#inOrder(hits).slice(0, limit);
    }
  }

  #inOrder(hits: readonly VectorHit[]): readonly VectorHit[] {
    const { placeOf } = this.#init;
    return hits.toSorted((a, b) => b.score - a.score || byPlace(placeOf(a.chunkId), placeOf(b.chunkId)));
  }
}

/** Keeps a value in a map of bounded size; the oldest goes first. */
function keep<T>(map: Map<string, T>, key: string, { value, max }: { readonly value: T; readonly max: number }): void {
  const [oldest] = map.keys();
  if (map.size >= max && oldest !== undefined) map.delete(oldest);
  map.set(key, value);
}
