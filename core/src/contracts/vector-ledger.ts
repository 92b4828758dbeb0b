import type { ChunkId, DocumentId, EmbeddingId } from '../domain/ids.ts';

/** A vector as the ledger knows it: whose it is, what made it, where it is kept. */
export interface VectorNote {
  readonly embeddingId: EmbeddingId;
  readonly chunkId: ChunkId;
  readonly modelId: string;
  readonly modelVersion: string;
  readonly dimensions: number;
  /** {@link Embedder.fingerprint} of what made it. */
  readonly fingerprint: string;
  /** The id of the vector store that it was written to last. */
  readonly store: string;
  readonly collection: string;
}

/**
 * How a vector stands: `pending` until the vector store is known to hold it, `committed` from then on, `tombstone` once its
 * chunk is gone and the vector waits to be deleted.
 */
export type VectorStatus = 'pending' | 'committed' | 'tombstone';

/** How many vectors of a collection stand how, in whichever store they lie. */
export interface CollectionCount {
  readonly collection: string;
  readonly fingerprint: string;
  readonly committed: number;
  readonly pending: number;
  readonly tombstones: number;
}

/** A vector of a chunk, for people who look at the chunk. */
export interface ChunkVector {
  readonly embeddingId: EmbeddingId;
  readonly modelId: string;
  readonly dimensions: number;
  readonly status: VectorStatus;
}

/**
 * What a document store knows of vectors that lie elsewhere. A vector store is another place that can fail by itself: only
 * what is `committed` here, and whose chunk exists, may be returned by a search.
 */
export interface VectorLedger {
  /** Every collection with a record, by name. */
  collections(): Promise<readonly CollectionCount[]>;
  /** Documents that are not yet embedded whole with this fingerprint: what changed last comes first, then by source and path. */
  documentsWithout(fingerprint: string): Promise<readonly DocumentId[]>;
  /** How many they are; for null, how many are not embedded whole with any. */
  countDocumentsWithout(fingerprint: string | null): Promise<number>;
  /** The chunks of a document that have a committed vector in a collection. */
  committedChunks(collection: string, docId: DocumentId): Promise<ReadonlySet<ChunkId>>;
  /** Chunks whose vectors in a collection must not be returned: those pending, and those that wait for deletion. */
  unsettledChunks(collection: string): Promise<ReadonlySet<ChunkId>>;
  /** At most `limit` vectors of a collection that stand so, by id, behind the id `after`. */
  listVectors(
    collection: string,
    status: VectorStatus,
    page: { readonly after: string; readonly limit: number },
  ): Promise<readonly EmbeddingId[]>;
  /** The vectors of each of some chunks, those waiting for deletion left out; chunks without any are left out. */
  vectorsOf(chunkIds: readonly ChunkId[]): Promise<ReadonlyMap<ChunkId, readonly ChunkVector[]>>;
}

/** Changes of the ledger. Each call is one transaction. */
export interface VectorLedgerWriter {
  /** Notes vectors that are about to be written, as `pending`; a chunk's earlier note for the same model is replaced. */
  begin(notes: readonly VectorNote[], at: Date): void;
  /**
   * Records that the vector store holds these vectors, and that these documents are embedded whole with a fingerprint. The
   * corpus revision grows. A vector whose chunk has gone meanwhile stays as it is.
   */
  commit(done: {
    readonly embeddingIds: readonly EmbeddingId[];
    readonly documents: readonly DocumentId[];
    readonly fingerprint: string;
    readonly at: Date;
  }): void;
  /** Takes committed vectors back to `pending`, since their store has lost them; their documents are no longer whole. */
  doubt(embeddingIds: readonly EmbeddingId[]): void;
  /**
   * Takes back documents that count as embedded whole with a fingerprint although a chunk of theirs has no committed vector, as
   * earlier versions left those of a failing model server. Looks once for each collection. Returns how many there were.
   */
  recheck(collection: string, fingerprint: string): number;
  /** Removes notes of vectors that are deleted. */
  forget(embeddingIds: readonly EmbeddingId[]): void;
  /** Removes every note of a collection; documents embedded with its fingerprint are so no longer. Returns how many. */
  forgetCollection(collection: string): number;
}
