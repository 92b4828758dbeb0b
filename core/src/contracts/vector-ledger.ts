import type { ChunkId, DocumentId, EmbeddingId } from '../domain/ids.ts';

/** A vector as the ledger records it: its chunk, what produced it, and where it is kept. */
export interface VectorNote {
  readonly embeddingId: EmbeddingId;
  readonly chunkId: ChunkId;
  readonly modelId: string;
  readonly modelVersion: string;
  readonly dimensions: number;
  /** {@link Embedder.fingerprint} of the embedder that produced it. */
  readonly fingerprint: string;
  /** The id of the vector store that it was last written to. */
  readonly store: string;
  readonly collection: string;
}

/**
 * The state of a vector: `pending` until the vector store is known to hold it, `committed` from then on, `tombstone` once its chunk is gone
 * and the vector awaits deletion.
 */
export type VectorStatus = 'pending' | 'committed' | 'tombstone';

/** The number of vectors of a collection by state, in all vector stores. */
export interface CollectionCount {
  readonly collection: string;
  readonly fingerprint: string;
  readonly committed: number;
  readonly pending: number;
  readonly tombstones: number;
}

/** A vector of a chunk, for inspection. */
export interface ChunkVector {
  readonly embeddingId: EmbeddingId;
  readonly modelId: string;
  readonly dimensions: number;
  readonly status: VectorStatus;
}

/**
 * The record that a document store keeps of vectors stored elsewhere. A vector store can fail independently: a search may return only
 * vectors that are `committed` here and whose chunk exists.
 */
export interface VectorLedger {
  /** Every recorded collection, by name. */
  collections(): Promise<readonly CollectionCount[]>;
  /** Documents that are not completely embedded with this fingerprint: most recently changed first, then by source and path. */
  documentsWithout(fingerprint: string): Promise<readonly DocumentId[]>;
  /** The number of those documents; for null, the number of documents not completely embedded with any fingerprint. */
  countDocumentsWithout(fingerprint: string | null): Promise<number>;
  /** The chunks of a document that have a committed vector in a collection. */
  committedChunks(collection: string, docId: DocumentId): Promise<ReadonlySet<ChunkId>>;
  /** Chunks whose vectors in a collection must not be returned: the pending ones, and those awaiting deletion. */
  unsettledChunks(collection: string): Promise<ReadonlySet<ChunkId>>;
  /** At most `limit` vectors of a collection in this state, by id, after the id `after`. */
  listVectors(
    collection: string,
    status: VectorStatus,
    page: { readonly after: string; readonly limit: number },
  ): Promise<readonly EmbeddingId[]>;
  /** The vectors of some chunks, except those awaiting deletion; chunks without any are left out. */
  vectorsOf(chunkIds: readonly ChunkId[]): Promise<ReadonlyMap<ChunkId, readonly ChunkVector[]>>;
}

/** Changes to the ledger. Each call is one transaction. */
export interface VectorLedgerWriter {
  /**
   * Records vectors that are about to be written, as `pending`, and as `tombstone` where the chunk is gone by now; a chunk's earlier record
   * for the same model is replaced.
   */
  begin(notes: readonly VectorNote[], at: Date): Promise<void>;
  /**
   * Records that the vector store holds these vectors, and that these documents are completely embedded with a fingerprint. Increments the
   * corpus revision. A vector whose chunk has since been removed is left unchanged.
   */
  commit(done: {
    readonly embeddingIds: readonly EmbeddingId[];
    readonly documents: readonly DocumentId[];
    readonly fingerprint: string;
    readonly at: Date;
  }): Promise<void>;
  /** Returns committed vectors to `pending` because their store lost them; their documents no longer count as completely embedded. */
  doubt(embeddingIds: readonly EmbeddingId[]): Promise<void>;
  /** Removes the records of deleted vectors. */
  forget(embeddingIds: readonly EmbeddingId[]): Promise<void>;
  /** Removes every record of a collection; documents embedded with its fingerprint no longer count as embedded. Returns their number. */
  forgetCollection(collection: string): Promise<number>;
}
