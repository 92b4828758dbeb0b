import type { AnalysedQuery } from '../analysis/analyse-query.ts';
import type { AbortOptions } from '../contracts/contribution.ts';
import type { DocumentStore } from '../contracts/document-store.ts';
import type { Embedder } from '../contracts/embedder.ts';
import type { LexicalIndex } from '../contracts/lexical-index.ts';
import type { RankedChunk, RetrievalRequest, Retriever } from '../contracts/retriever.ts';
import type { ChunkFilter, VectorHit, VectorStore } from '../contracts/vector-store.ts';
import type { ChunkId } from '../domain/ids.ts';
import { mintEmbeddingId } from '../domain/minted-ids.ts';
import { fingerprintOf } from '../domain/policy-hash.ts';
import { degradedBy, type EmbeddingPorts, openEmbedding, type ReadyEmbedding } from '../embedding/open-embedding.ts';
import { withDeadline } from '../errors/abort.ts';
import { isKebabError, KebabError } from '../errors/kebab-error.ts';
import type { CosineScale } from '../relevance/estimate-relevance.ts';
import type { Degraded } from '../wire/index.ts';
import { byScoreThenPlace } from './chunk-rank.ts';
import { canRead } from './query-shape.ts';

/** The vector side of a search: a retriever, or why there is none. */
export type VectorSide = ReadyVectorSide | AbsentVectorSide;

/** An available vector side. */
export interface ReadyVectorSide {
  readonly kind: 'ready';
  readonly retriever: Retriever;
  /** The model's id; for a plugin's own retriever, its id. */
  readonly model: string;
  /** ISO 639-1 codes of the languages its model was trained for; null for most languages. */
  readonly languages: readonly string[] | null;
  /** The degradation when the vectors are incomplete. */
  readonly degraded: Degraded | null;
  /** The scale of its cosines for a query; null for a query without a vector, or that the model cannot read. */
  readonly scaleOf: (query: AnalysedQuery, options?: AbortOptions) => Promise<CosineScale | null>;
}

/** An unavailable vector side; `error` is thrown when only vectors were requested. */
interface AbsentVectorSide {
  readonly kind: 'absent';
  readonly degraded: Degraded;
  readonly error: Error;
}

/** The inputs for finding the vector side. */
interface VectorSideSources extends EmbeddingPorts {
  readonly store: DocumentStore;
  readonly lexical: LexicalIndex;
  /** A plugin's own retriever whose scores are cosines; it replaces embedder and vectors. */
  readonly contributed: Retriever | null;
}

/** Finds the vector side, and caches between searches what is constant for a corpus revision. */
export class VectorSideFinder {
  #retriever: { readonly of: ReadyEmbedding; readonly retriever: VectorRetriever } | undefined;
  #missing: { readonly key: string; readonly count: number; readonly documents: number } | undefined;

  /** The contributed retriever, if there is one; else the configured embedder with its vectors. */
  async find(sources: VectorSideSources): Promise<VectorSide> {
    const { contributed } = sources;
    if (contributed !== null)
      return {
        kind: 'ready',
        retriever: contributed,
        model: contributed.id,
        languages: null,
        degraded: null,
        scaleOf: () => Promise.resolve(UNKNOWN_SCALE),
      };
    const embedding = await openEmbedding(sources, 'read');
    switch (embedding.kind) {
      case 'off':
        return absent(
          'provider_none',
          'name an embedder with models.embedding.provider, or search with --mode lexical',
        );
      case 'failed':
        return { kind: 'absent', degraded: embedding.degraded, error: asError(embedding) };
      case 'ready':
        return await this.#side(embedding, sources);
      default:
        return embedding satisfies never;
    }
  }

  async #side(embedding: ReadyEmbedding, sources: VectorSideSources): Promise<VectorSide> {
    const { count, documents } = await this.#countMissing(embedding, sources.store);
    if (documents > 0 && count === documents && !(await hasVectors(sources.store, embedding)))
      return await withoutVectors(embedding.embedder);
    const { languages, modelId } = embedding.embedder;
    const hint = `${count} of ${documents} documents have no vectors yet: run \`kebab ingest\``;
    const degraded: Degraded | null = count === 0 ? null : { stage: 'vector', reason: 'vectors_incomplete', hint };
    const retriever = this.#ready(embedding, sources);
    const scaleOf: ReadyVectorSide['scaleOf'] = (query, options) => retriever.scaleOf(query, options);
    return { kind: 'ready', retriever, model: modelId, languages, degraded, scaleOf };
  }

  #ready(embedding: ReadyEmbedding, { store, lexical }: VectorSideSources): VectorRetriever {
    const { embedder, vectors, collection } = embedding;
    const known = this.#retriever;
    if (known?.of.embedder === embedder && known.of.vectors === vectors) return known.retriever;
    const retriever = new VectorRetriever({ embedder, vectors, collection, store, lexical });
    this.#retriever = { of: embedding, retriever };
    return retriever;
  }

  async #countMissing(
    { fingerprint }: ReadyEmbedding,
    store: DocumentStore,
  ): Promise<{ readonly count: number; readonly documents: number }> {
    const key = `${await store.corpusRevision()} ${fingerprint}`;
    if (this.#missing?.key === key) return this.#missing;
    const count = await store.vectors.countDocumentsWithout(fingerprint);
    const documents = count === 0 ? 0 : await store.documentCount();
    this.#missing = { key, count, documents };
    return { count, documents };
  }
}

const ORDINARY_WORD = 'word';
const MAX_WAIT_MS = 2000;

/** Why there are no vectors at all: the model cannot be used, so that no ingest would make them; else no ingest has made them yet. */
async function withoutVectors(embedder: Embedder): Promise<AbsentVectorSide> {
  const missing = absent('vectors_missing', 'make the vectors with `kebab ingest`');
  try {
    await withDeadline((signal) => embedder.embed([{ text: ORDINARY_WORD, kind: 'query' }], { signal }), {
      operation: 'embedding a word',
      timeoutMs: MAX_WAIT_MS,
    });
    return missing;
  } catch (error) {
    const degraded = isKebabError(error, 'timeout') ? undefined : degradedBy(error);
    return degraded === undefined ? missing : { kind: 'absent', degraded, error: asError({ error, degraded }) };
  }
}

/** Whether a collection contains at least some findable vectors; a large document may be partly embedded. */
async function hasVectors(store: DocumentStore, { collection }: ReadyEmbedding): Promise<boolean> {
  return (await store.vectors.listVectors(collection, 'committed', { after: '', limit: 1 })).length > 0;
}

function absent(reason: Degraded['reason'], hint: string): AbsentVectorSide {
  const degraded: Degraded = { stage: 'vector', reason, hint };
  return { kind: 'absent', degraded, error: notIndexed(degraded) };
}

function asError({ error, degraded }: { readonly error: unknown; readonly degraded: Degraded }): Error {
  return isKebabError(error) ? error : notIndexed(degraded);
}

function notIndexed({ reason, hint }: Degraded): Error {
  return new KebabError('not_indexed', 'vector search is not possible: there are no vectors', {
    details: { expected: 'vectors', found: reason },
    hint,
  });
}

/** Options of {@link VectorRetriever}. */
interface VectorRetrieverInit {
  readonly embedder: Embedder;
  readonly vectors: VectorStore;
  readonly collection: string;
  readonly store: DocumentStore;
  readonly lexical: LexicalIndex;
}

/** Assumed scale of cosines for an unknown model. */
const UNKNOWN_SCALE: CosineScale = { background: 0, matching: 0.5, spread: 0.125 };
/** How many passages, sampled by id (ids are hashes), make up the background of a query. */
const SAMPLED = 64;
/** The weight of the model's own background, in samples: in a small knowledge base every passage may be on the subject. */
const PRIOR = 8;
/** The assumed spread of cosines before it is measured, as a share of the distance from the background to a match. */
const PRIOR_SPREAD = 0.25;
/** How many to request beyond the limit, to detect ties at its end. */
const BEYOND = 8;

/** Ranks chunks by the cosine between their vectors and that of the query. */
export class VectorRetriever implements Retriever {
  readonly id = 'vector';
  readonly version = '1';
  readonly scoreKind = 'cosine';
  readonly #init: VectorRetrieverInit;
  #sample: { readonly revision: number; readonly chunkIds: ReadonlySet<ChunkId> } | undefined;
  /** The vector of each query while its search lasts, which needs it for the ranking and for the scale. */
  readonly #queryVectors = new WeakMap<AnalysedQuery, Float32Array | null>();

  constructor(init: VectorRetrieverInit) {
    this.#init = init;
  }

  fingerprint(): string {
    const { embedder, vectors } = this.#init;
    return `${this.id}@${this.version}+${fingerprintOf(embedder)}+${fingerprintOf(vectors)}`;
  }

  indexVersion(): string {
    return this.#init.collection;
  }

  async retrieve(request: RetrievalRequest, options: AbortOptions = {}): Promise<readonly RankedChunk[]> {
    if (request.limit < 1) return [];
    const vector = await this.#queryVector(request.query, options);
    if (vector === null) return [];
    const { store, collection } = this.#init;
    const except = await store.vectors.unsettledChunks(collection);
    const allow = await this.#allowed(request, { isSettled: except.size === 0, options });
    const hits = await this.#search(request.limit, { vector, allow, except }, options);
    return hits.map(({ chunkId, score }, at) => ({ chunkId, score, rank: at + 1 }));
  }

  /** The scale of the cosines of a query, measured on random passages; null when they are meaningless. */
  async scaleOf(query: AnalysedQuery, options: AbortOptions = {}): Promise<CosineScale | null> {
    const vector = await this.#queryVector(query, options);
    if (vector === null) return null;
    const { store, vectors, collection, embedder } = this.#init;
    if (!canRead(embedder.languages, query.embeddingText)) return null;
    const revision = await store.corpusRevision();
    if (this.#sample?.revision !== revision) {
      const ids = await store.findIds('chunk', '', SAMPLED);
      this.#sample = { revision, chunkIds: new Set(ids as readonly ChunkId[]) };
    }
    const allow: ChunkFilter = { kind: 'only', chunkIds: this.#sample.chunkIds };
    const except = await store.vectors.unsettledChunks(collection);
    const hits = await vectors.search(collection, { vector, limit: SAMPLED, allow, except }, options);
    return scaleFrom(
      hits.map(({ score }) => score),
      embedder.relevance,
    );
  }

  async #queryVector(query: AnalysedQuery, options: AbortOptions): Promise<Float32Array | null> {
    const known = this.#queryVectors.get(query);
    if (known !== undefined) return known;
    const text = query.embeddingText;
    if (text.trim() === '') return null;
    const [vector] = await this.#init.embedder.embed([{ text, kind: 'query' }], options);
    this.#queryVectors.set(query, vector ?? null);
    return vector ?? null;
  }

  async #allowed(
    { query, filters }: RetrievalRequest,
    { isSettled, options }: { readonly isSettled: boolean; readonly options: AbortOptions },
  ): Promise<ChunkFilter> {
    const { lexical, store } = this.#init;
    const chunkIds = await lexical.admitted(query, filters, options);
    if (chunkIds !== null) return { kind: 'only', chunkIds };
    if (Object.values(filters).every((value) => value === undefined)) return { kind: 'all' };
    const docIds = await store.documentIds(filters);
    return { kind: 'documents', docIds, ...(isSettled ? { where: filters } : {}) };
  }

  /** Ties are ordered by place, even at the end of the list: a longer list must begin with the shorter one. */
  async #search(
    limit: number,
    query: { readonly vector: Float32Array; readonly allow: ChunkFilter; readonly except: ReadonlySet<ChunkId> },
    options: AbortOptions,
  ): Promise<readonly VectorHit[]> {
    const { vectors, collection, store } = this.#init;
    for (let wanted = limit + BEYOND; ; wanted *= 4) {
      const found = await vectors.search(collection, { ...query, limit: wanted }, options);
      const isWhole = found.length < wanted || found.at(-1)?.score !== found[limit - 1]?.score;
      if (!isWhole) continue;
      const hits = await this.#askedFor(found, query);
      return (await byScoreThenPlace(hits, store)).slice(0, limit);
    }
  }

  /** A server may return anything: only vectors of this model count, each once, of chunks that may be returned. */
  async #askedFor(
    found: readonly VectorHit[],
    { allow, except }: { readonly allow: ChunkFilter; readonly except: ReadonlySet<ChunkId> },
  ): Promise<readonly VectorHit[]> {
    const { modelId, modelVersion, dimensions } = this.#init.embedder;
    const own = new Map<ChunkId, VectorHit>();
    for (const hit of found) {
      const { chunkId, embeddingId } = hit;
      const isAsked = !except.has(chunkId) && (allow.kind !== 'only' || allow.chunkIds.has(chunkId));
      if (!isAsked || own.has(chunkId)) continue;
      if (embeddingId === mintEmbeddingId({ chunkId, modelId, modelVersion, dimensions })) own.set(chunkId, hit);
    }
    if (allow.kind !== 'documents') return [...own.values()];
    const passages = await this.#init.store.getPassages([...own.keys()]);
    const admitted = new Set(passages.filter(({ docId }) => allow.docIds.has(docId)).map(({ chunkId }) => chunkId));
    return [...own.values()].filter(({ chunkId }) => admitted.has(chunkId));
  }
}

/** Combines the cosines of random passages with what is known of the model into a scale. */
function scaleFrom(cosines: readonly number[], { floor, ceil }: Embedder['relevance']): CosineScale {
  const sum = cosines.reduce((total, cosine) => total + cosine, 0);
  const background = (sum + PRIOR * floor) / (cosines.length + PRIOR);
  const matching = (ceil - floor) / Math.max(1e-6, 1 - floor);
  const mean = cosines.length === 0 ? 0 : sum / cosines.length;
  const squares = cosines.reduce((total, cosine) => total + (cosine - mean) ** 2, 0);
  const expected = Math.max(1e-6, PRIOR_SPREAD * matching * (1 - background));
  return { background, matching, spread: Math.sqrt((squares + PRIOR * expected ** 2) / (cosines.length + PRIOR)) };
}
