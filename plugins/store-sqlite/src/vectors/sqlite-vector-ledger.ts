import type { ChunkId, DocumentId, EmbeddingId } from '@kebab/core';
import type { ChunkVector, CollectionCount, VectorLedger, VectorStatus } from '@kebab/core/store';
import { rowsOf, valuesOf, type Statements } from '../database/statements.ts';

const COLLECTIONS = rowsOf<CollectionCount>(`SELECT collection, max(fingerprint) AS fingerprint,
    sum(status = 'committed') AS committed, sum(status = 'pending') AS pending, sum(status = 'tombstone') AS tombstones
  FROM embedding_records GROUP BY collection ORDER BY collection`);
const DOCUMENTS_WITHOUT = valuesOf<DocumentId>(
  `SELECT doc_id FROM documents WHERE embedding_fingerprint IS NOT @fingerprint
    ORDER BY updated_at DESC, source_id, workspace_path`,
);
/** By ranges of the index, so that only documents without vectors are read: usually none. */
const COUNT_WITHOUT = valuesOf<number>(`SELECT
  (SELECT count(*) FROM documents WHERE embedding_fingerprint < @fingerprint) +
  (SELECT count(*) FROM documents WHERE embedding_fingerprint > @fingerprint) +
  (SELECT count(*) FROM documents WHERE embedding_fingerprint IS NULL)`);
const COUNT_WITHOUT_ANY = valuesOf<number>('SELECT count(*) FROM documents WHERE embedding_fingerprint IS NULL');
/**
 * Joins document, chunks and vectors in that order, by the index on `chunk_id`: otherwise the planner scans every committed vector of the
 * collection for each document, and a first ingest takes quadratic time.
 */
export const COMMITTED_CHUNKS = `SELECT c.chunk_id FROM documents d
  CROSS JOIN chunks c ON c.seq >= d.first_chunk AND c.seq < d.first_chunk + d.chunk_count
  CROSS JOIN embedding_records e ON e.chunk_id = c.chunk_id AND +e.collection = @collection AND +e.status = 'committed'
  WHERE d.doc_id = @doc_id`;
const COMMITTED = valuesOf<ChunkId>(COMMITTED_CHUNKS);
/** `unlikely`, because the statistics give every state the same weight and make the planner read all vectors. */
export const UNSETTLED_CHUNKS = `SELECT chunk_id FROM embedding_records
  WHERE unlikely(status IN ('pending', 'tombstone')) AND collection = @collection`;
const UNSETTLED = valuesOf<ChunkId>(UNSETTLED_CHUNKS);
const LIST = valuesOf<EmbeddingId>(`SELECT embedding_id FROM embedding_records
  WHERE status = @status AND collection = @collection AND embedding_id > @after ORDER BY embedding_id LIMIT @limit`);
const OF_CHUNKS = rowsOf<
  ChunkVector & {
    readonly chunkId: ChunkId;
  }
>(`SELECT chunk_id AS chunkId, embedding_id AS embeddingId, model_id AS modelId, dimensions, status
  FROM embedding_records WHERE chunk_id IN (SELECT value FROM json_each(@chunk_ids)) AND status <> 'tombstone' ORDER BY model_id, embedding_id`);

/** The database's records of vectors; `read` runs a query on one snapshot. */
export class SqliteVectorLedger implements VectorLedger {
  readonly #statements: Statements;
  readonly #read: <T>(query: () => T) => Promise<T>;

  constructor(statements: Statements, read: <T>(query: () => T) => Promise<T>) {
    this.#statements = statements;
    this.#read = read;
  }

  collections(): Promise<readonly CollectionCount[]> {
    return this.#read(() => this.#statements.all(COLLECTIONS));
  }

  documentsWithout(fingerprint: string): Promise<readonly DocumentId[]> {
    return this.#read(() => this.#statements.values(DOCUMENTS_WITHOUT, { fingerprint }));
  }

  countDocumentsWithout(fingerprint: string | null): Promise<number> {
    return this.#read(
      () =>
        (fingerprint === null
          ? this.#statements.value(COUNT_WITHOUT_ANY)
          : this.#statements.value(COUNT_WITHOUT, { fingerprint })) ?? 0,
    );
  }

  committedChunks(collection: string, docId: DocumentId): Promise<ReadonlySet<ChunkId>> {
    return this.#read(() => new Set(this.#statements.values(COMMITTED, { collection, doc_id: docId })));
  }

  unsettledChunks(collection: string): Promise<ReadonlySet<ChunkId>> {
    return this.#read(() => new Set(this.#statements.values(UNSETTLED, { collection })));
  }

  listVectors(
    collection: string,
    status: VectorStatus,
    { after, limit }: { readonly after: string; readonly limit: number },
  ): Promise<readonly EmbeddingId[]> {
    return this.#read(() => this.#statements.values(LIST, { status, collection, after, limit }));
  }

  vectorsOf(chunkIds: readonly ChunkId[]): Promise<ReadonlyMap<ChunkId, readonly ChunkVector[]>> {
    return this.#read(() => {
      const vectors = new Map<ChunkId, ChunkVector[]>();
      for (const { chunkId, ...vector } of this.#statements.all(OF_CHUNKS, { chunk_ids: JSON.stringify(chunkIds) })) {
        const known = vectors.get(chunkId);
        if (known === undefined) vectors.set(chunkId, [vector]);
        else known.push(vector);
      }
      return vectors;
    });
  }
}
