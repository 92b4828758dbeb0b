import type { ChunkId, DocumentId, EmbeddingId, IndexId } from '../domain/ids.ts';
import type { SearchFilters } from '../domain/query.ts';
import type { AbortOptions, Contribution } from './contribution.ts';
import type { Damage, DocumentRow } from './document-store.ts';

/** What filters read of a document; a store that can filter by itself keeps it with each vector. */
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
 * A vector to keep. It may have any length but zero, and is kept as a unit vector. A collection is of one model, so a chunk
 * has one embedding id in it.
 */
export interface VectorRecord {
  readonly embeddingId: EmbeddingId;
  readonly chunkId: ChunkId;
  readonly docId: DocumentId;
  readonly vector: Float32Array;
  /** Left out where nothing is known of the document; stores that cannot filter by it do not keep it. */
  readonly payload?: VectorPayload;
}

/** A vector found; `score` is the cosine similarity, unscaled. */
export interface VectorHit {
  readonly embeddingId: EmbeddingId;
  readonly chunkId: ChunkId;
  readonly score: number;
}

/**
 * The chunks a search may return; applied before top-k. The sets may be large (every chunk of a knowledge base), may name
 * what the collection does not hold, and do not change afterwards: a store may remember what it made of one.
 */
export type ChunkFilter =
  | { readonly kind: 'all' }
  | { readonly kind: 'only'; readonly chunkIds: ReadonlySet<ChunkId> }
  | {
      readonly kind: 'documents';
      readonly docIds: ReadonlySet<DocumentId>;
      /**
       * The same documents, said by the filters that chose them. Given only when every record of the collection was
       * upserted with the payload its document has now; a store that keeps payloads may go by it instead of the ids.
       */
      readonly where?: SearchFilters;
    };

/** A vector query. */
export interface VectorSearch {
  readonly vector: Float32Array;
  readonly limit: number;
  readonly allow: ChunkFilter;
  /** Chunks that are not returned whatever `allow` says: those whose vectors are not committed, or wait for deletion. */
  readonly except?: ReadonlySet<ChunkId>;
}

/** That a store holds what another would serve better. */
export interface VectorStoreAdvice {
  /** What it holds, and why that is better kept elsewhere. */
  readonly detail: string;
  /** The commands that move it. */
  readonly hint: string;
}

/**
 * Keeps vectors in named collections. `upsert` is idempotent, what was written or deleted is seen by the next search of every
 * reader, the order is the exact cosine order (or recall@10 ≥ 0.99 against it) and the same each time.
 *
 * Errors: `vector_store_unreachable` when the store is missing or damaged, has no such collection, or has it with other
 * dimensions; it can be rebuilt. `store_damaged` instead where {@link VectorStore.repair} can help. `invalid_input` for a vector that is not finite, is zero, or has other dimensions than its
 * collection; nothing of that call is written then. `readonly_mode` for changes to a store opened for reading. An operation
 * whose signal has fired throws `cancelled` or the abort itself.
 */
export interface VectorStore extends Contribution {
  /** Makes an empty collection unless it is there. */
  ensureCollection(name: string, dimensions: number, options?: AbortOptions): Promise<IndexId>;
  /** Writes vectors; one with a known embedding id is replaced. A call that fails half-way may have written some. */
  upsert(name: string, records: readonly VectorRecord[], options?: AbortOptions): Promise<void>;
  /** Removes vectors; ids that are not there are no error. */
  delete(name: string, ids: readonly EmbeddingId[], options?: AbortOptions): Promise<void>;
  /** The best `limit` vectors the filter lets through, best first. */
  search(name: string, query: VectorSearch, options?: AbortOptions): Promise<readonly VectorHit[]>;
  /** The names of all collections, sorted. */
  listCollections(options?: AbortOptions): Promise<readonly string[]>;
  /** The bytes that all collections take, about; a store that cannot say it has no such method. */
  storedBytes?(): Promise<number>;
  /** How many vectors a collection holds; null when there is no such collection. */
  count(name: string, options?: AbortOptions): Promise<number | null>;
  /** Every id once, in no particular order; changes made meanwhile may be missed. */
  listIds(name: string, options?: AbortOptions): AsyncIterable<EmbeddingId>;
  /** Every record once, with its unit vector and the payload if the store keeps it: for moving to another store. */
  records(name: string, options?: AbortOptions): AsyncIterable<VectorRecord>;
  /** What is damaged or missing, one sentence a problem; a store that cannot say it has no such method. */
  checkIntegrity?(options?: AbortOptions): Promise<readonly string[]>;
  /** What would serve its vectors better, for `kebab doctor`; null while nothing would. A store that cannot say it has no such method. */
  advise?(options?: AbortOptions): Promise<VectorStoreAdvice | null>;
  /**
   * Builds what is damaged from what is whole, all or nothing, and leaves out what cannot be: the next ingest makes it again.
   * Returns what it found; `dryRun` changes nothing.
   */
  repair?(options: { readonly dryRun: boolean } & AbortOptions): Promise<readonly Damage[]>;
  /** Removes a collection; one that is not there is no error. */
  dropCollection(name: string, options?: AbortOptions): Promise<void>;
  /** Makes this the collection in use, for a store that publishes a name for it; atomic. */
  activate?(name: string, options?: AbortOptions): Promise<void>;
}
