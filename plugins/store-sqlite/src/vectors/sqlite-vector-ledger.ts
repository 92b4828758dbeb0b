import type {
  ChunkId,
  ChunkVector,
  CollectionCount,
  DocumentId,
  EmbeddingId,
  VectorLedger,
  VectorStatus,
} from '@kebab/core';
import type { Statements } from '../database/statements.ts';

const COLLECTIONS = `SELECT collection, max(fingerprint) AS fingerprint, sum(status = 'committed') AS committed,
    sum(status = 'pending') AS pending, sum(status = 'tombstone') AS tombstones
  FROM embedding_records GROUP BY collection ORDER BY collection`;
const COMMITTED = `SELECT c.chunk_id FROM documents d
  JOIN chunks c ON c.seq >= d.first_chunk AND c.seq < d.first_chunk + d.chunk_count
  JOIN embedding_records e ON e.chunk_id = c.chunk_id AND e.collection = ? AND e.status = 'committed'
  WHERE d.doc_id = ?`;
const UNSETTLED = `SELECT chunk_id FROM embedding_records WHERE status IN ('pending', 'tombstone') AND collection = ?`;
const OF_CHUNK = `SELECT embedding_id AS embeddingId, model_id AS modelId, dimensions, status
  FROM embedding_records WHERE chunk_id = ? AND status <> 'tombstone' ORDER BY model_id, embedding_id`;

/** What the database knows of vectors; `read` runs a query on one snapshot. */
export class SqliteVectorLedger implements VectorLedger {
  readonly #statements: Statements;
  readonly #read: <T>(query: () => T) => T;

  constructor(statements: Statements, read: <T>(query: () => T) => T) {
    this.#statements = statements;
    this.#read = read;
  }

  collections(): readonly CollectionCount[] {
    return this.#read(() => this.#statements.of(COLLECTIONS).all() as readonly CollectionCount[]);
  }

  documentsWithout(fingerprint: string): readonly DocumentId[] {
    const sql = 'SELECT doc_id FROM documents WHERE embedding_fingerprint IS NOT ? ORDER BY source_id, workspace_path';
    return this.#read(() => this.#statements.firstColumnOf(sql).all(fingerprint) as readonly DocumentId[]);
  }

  countDocumentsWithout(fingerprint: string | null): number {
    const without = 'SELECT count(*) FROM documents WHERE embedding_fingerprint';
    return this.#read(() =>
      Number(
        fingerprint === null
          ? this.#statements.firstColumnOf(`${without} IS NULL`).get()
          : this.#statements.firstColumnOf(`${without} IS NOT ?`).get(fingerprint),
      ),
    );
  }

  committedChunks(collection: string, docId: DocumentId): ReadonlySet<ChunkId> {
    return this.#read(
      () => new Set(this.#statements.firstColumnOf(COMMITTED).all(collection, docId) as readonly ChunkId[]),
    );
  }

  unsettledChunks(collection: string): ReadonlySet<ChunkId> {
    return this.#read(() => new Set(this.#statements.firstColumnOf(UNSETTLED).all(collection) as readonly ChunkId[]));
  }

  listVectors(
    collection: string,
    status: VectorStatus,
    { after, limit }: { readonly after: string; readonly limit: number },
  ): readonly EmbeddingId[] {
    const sql = `SELECT embedding_id FROM embedding_records
      WHERE status = ? AND collection = ? AND embedding_id > ? ORDER BY embedding_id LIMIT ?`;
    return this.#read(
      () => this.#statements.firstColumnOf(sql).all(status, collection, after, limit) as readonly EmbeddingId[],
    );
  }

  vectorsOf(chunkId: ChunkId): readonly ChunkVector[] {
    return this.#read(() => this.#statements.of(OF_CHUNK).all(chunkId) as readonly ChunkVector[]);
  }
}
