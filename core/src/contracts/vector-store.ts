import type { ChunkId, DocumentId, EmbeddingId, IndexId } from '../domain/ids.ts';
import type { SearchFilters } from '../domain/query.ts';
import type { AbortOptions, Contribution } from './contribution.ts';
import type { Damage, DocumentRow } from './document-store.ts';

/** The document fields that filters read; a store that filters by itself keeps them with each vector. */
export type VectorPayload = Pick<
  DocumentRow,
  | 'tags'
  | 'lang'
  | 'trustLevel'
  | 'media'
  | 'committedAt'
  | 'repo'
  | 'codeLang'
  | 'sourceId'
  | 'sourceType'
  | 'workspacePath'
>;

/**
 * A vector to store. It may have any non-zero length, and is kept as a unit vector. A collection belongs to one model, so a chunk has one
 * embedding id in it.
 */
export interface VectorRecord {
  readonly embeddingId: EmbeddingId;
  readonly chunkId: ChunkId;
  readonly docId: DocumentId;
  readonly vector: Float32Array;
  /** Absent when nothing is known about the document; stores that cannot filter by it do not keep it. */
  readonly payload?: VectorPayload;
}

/** A matching vector; `score` is the cosine similarity, unscaled. */
export interface VectorHit {
  readonly embeddingId: EmbeddingId;
  readonly chunkId: ChunkId;
  readonly score: number;
}

/**
 * The chunks a search may return; applied before top-k. The sets may be large (every chunk of a knowledge base), may contain ids that are
 * not in the collection, and do not change afterwards: a store may cache data derived from one.
 */
export type ChunkFilter =
  | { readonly kind: 'all' }
  | { readonly kind: 'only'; readonly chunkIds: ReadonlySet<ChunkId> }
  | {
      readonly kind: 'documents';
      readonly docIds: ReadonlySet<DocumentId>;
      /**
       * The same documents, as the filters that selected them. Present only when every record of the collection was upserted with the
       * current payload of its document; a store that keeps payloads may use it instead of the ids.
       */
      readonly where?: SearchFilters;
    };

/** A vector query. */
export interface VectorSearch {
  readonly vector: Float32Array;
  readonly limit: number;
  readonly allow: ChunkFilter;
  /** Chunks that are never returned, whatever `allow` contains: those whose vectors are not committed, or await deletion. */
  readonly except?: ReadonlySet<ChunkId>;
}

/** Advises that another store would serve the vectors better. */
export interface VectorStoreAdvice {
  /** The content of the store, and why another store suits it better. */
  readonly detail: string;
  /** The commands that move it. */
  readonly hint: string;
}

/**
 * Stores vectors in named collections. `upsert` is idempotent; the next search of every reader sees each write and deletion; the order is
 * the exact cosine order (or recall@10 ≥ 0.99 against it) and deterministic.
 *
 * Errors: `vector_store_unreachable` when the store is missing or damaged, has no such collection, or has it with other dimensions; it can
 * be rebuilt. `store_damaged` instead where {@link VectorStore.repair} can help. `invalid_input` for a vector that is not finite, is zero,
 * or has other dimensions than its collection; that call then writes nothing. `readonly_mode` for changes to a store opened for reading. An
 * operation whose signal has fired throws `cancelled` or the abort itself.
 */
export interface VectorStore extends Contribution {
  /** Creates an empty collection unless it exists. */
  ensureCollection(name: string, dimensions: number, options?: AbortOptions): Promise<IndexId>;
  /** Writes vectors, replacing those with a known embedding id. A call that fails half-way may have written some. */
  upsert(name: string, records: readonly VectorRecord[], options?: AbortOptions): Promise<void>;
  /** Removes vectors; unknown ids are ignored. */
  delete(name: string, ids: readonly EmbeddingId[], options?: AbortOptions): Promise<void>;
  /** The best `limit` vectors that match the filter, best first. */
  search(name: string, query: VectorSearch, options?: AbortOptions): Promise<readonly VectorHit[]>;
  /** The names of all collections, sorted. */
  listCollections(options?: AbortOptions): Promise<readonly string[]>;
  /** The approximate size of all collections in bytes; absent when a store cannot report it. */
  storedBytes?(): Promise<number>;
  /** The number of vectors in a collection; null when it does not exist. */
  count(name: string, options?: AbortOptions): Promise<number | null>;
  /** Every id once, in no particular order; concurrent changes may be missed. */
  listIds(name: string, options?: AbortOptions): AsyncIterable<EmbeddingId>;
  /** Every record once, with its unit vector, and the payload if the store keeps it: used to move to another store. */
  records(name: string, options?: AbortOptions): AsyncIterable<VectorRecord>;
  /** Lists damaged or missing parts, one sentence per problem; absent when a store cannot report it. */
  checkIntegrity?(options?: AbortOptions): Promise<readonly string[]>;
  /** A store that would serve these vectors better, for `kebab doctor`; null when there is none. Absent when a store gives no advice. */
  advise?(options?: AbortOptions): Promise<VectorStoreAdvice | null>;
  /**
   * Rebuilds damaged parts from intact ones, all or nothing, and drops what cannot be rebuilt: the next ingest recreates it. Returns the
   * damage found; `dryRun` changes nothing.
   */
  repair?(options: { readonly dryRun: boolean } & AbortOptions): Promise<readonly Damage[]>;
  /** Drops a collection; an unknown one is ignored. */
  dropCollection(name: string, options?: AbortOptions): Promise<void>;
  /** Makes this the collection in use, for a store that publishes an alias for it; atomic. */
  activate?(name: string, options?: AbortOptions): Promise<void>;
}
