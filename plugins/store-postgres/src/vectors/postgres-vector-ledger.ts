import type { ChunkId, DocumentId, EmbeddingId } from '@kebab/core';
import type {
  ChunkVector,
  CollectionCount,
  VectorLedger,
  VectorLedgerWriter,
  VectorNote,
  VectorStatus,
} from '@kebab/core/store';
import { pendingVectorRow } from '@kebab/store-kit';
import { sql } from 'kysely';
import { growRevision } from '../database/corpus-revision.ts';
import type { PostgresDatabase } from '../database/open-database.ts';
import type { Db } from '../database/tables.ts';
import { countOf, isAnyOf } from '../database/query-parts.ts';

/** The records of vectors on the server. */
export class PostgresVectorLedger implements VectorLedger {
  readonly #database: PostgresDatabase;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  collections(): Promise<readonly CollectionCount[]> {
    return this.#database.statement((db) =>
      db
        .selectFrom('embedding_records')
        .select(({ fn }) => [
          'collection',
          fn.max('fingerprint').as('fingerprint'),
          counted('committed').as('committed'),
          counted('pending').as('pending'),
          counted('tombstone').as('tombstones'),
        ])
        .groupBy('collection')
        .orderBy('collection')
        .execute(),
    );
  }

  async documentsWithout(fingerprint: string): Promise<readonly DocumentId[]> {
    const rows = await this.#database.statement((db) =>
      db
        .selectFrom('documents')
        .select('doc_id')
        .where('embedding_fingerprint', 'is distinct from', fingerprint)
        .orderBy('updated_at', 'desc')
        .orderBy('source_id')
        .orderBy('workspace_path')
        .execute(),
    );
    return rows.map((row) => row.doc_id as DocumentId);
  }

  /** By ranges of the index, so that only documents without vectors are read: usually none. */
  countDocumentsWithout(fingerprint: string | null): Promise<number> {
    return this.#database.statement((db) =>
      countOf(
        db
          .selectFrom('documents')
          .where((eb) =>
            eb.or([
              eb('embedding_fingerprint', 'is', null),
              ...(fingerprint === null
                ? []
                : [eb('embedding_fingerprint', '<', fingerprint), eb('embedding_fingerprint', '>', fingerprint)]),
            ]),
          ),
      ),
    );
  }

  async committedChunks(collection: string, docId: DocumentId): Promise<ReadonlySet<ChunkId>> {
    const rows = await this.#database.statement((db) =>
      db
        .selectFrom('documents as d')
        .innerJoin('chunks as c', (join) =>
          join
            .onRef('c.seq', '>=', 'd.first_chunk')
            .on('c.seq', '<', (eb) => eb('d.first_chunk', '+', eb.ref('d.chunk_count'))),
        )
        .innerJoin('embedding_records as e', 'e.chunk_id', 'c.chunk_id')
        .select('c.chunk_id')
        .where('e.collection', '=', collection)
        .where('e.status', '=', 'committed')
        .where('d.doc_id', '=', docId)
        .execute(),
    );
    return chunkIdsOf(rows);
  }

  async unsettledChunks(collection: string): Promise<ReadonlySet<ChunkId>> {
    const rows = await this.#database.statement((db) =>
      db
        .selectFrom('embedding_records')
        .select('chunk_id')
        .where(sql<boolean>`status <> 'committed'`) // as a literal, so that the partial index answers
        .where('collection', '=', collection)
        .execute(),
    );
    return chunkIdsOf(rows);
  }

  async listVectors(
    collection: string,
    status: VectorStatus,
    { after, limit }: { readonly after: string; readonly limit: number },
  ): Promise<readonly EmbeddingId[]> {
    const rows = await this.#database.statement((db) =>
      db
        .selectFrom('embedding_records')
        .select('embedding_id')
        .where('status', '=', status)
        .where('collection', '=', collection)
        .where('embedding_id', '>', after)
        .orderBy('embedding_id')
        .limit(limit)
        .execute(),
    );
    return rows.map((row) => row.embedding_id as EmbeddingId);
  }

  async vectorsOf(chunkIds: readonly ChunkId[]): Promise<ReadonlyMap<ChunkId, readonly ChunkVector[]>> {
    const rows = await this.#database.statement((db) =>
      db
        .selectFrom('embedding_records')
        .select(['chunk_id as chunkId', 'embedding_id as embeddingId', 'model_id as modelId', 'dimensions', 'status'])
        .where(isAnyOf('chunk_id', chunkIds))
        .where('status', '<>', 'tombstone')
        .orderBy('model_id')
        .orderBy('embedding_id')
        .execute(),
    );
    const vectors = new Map<ChunkId, ChunkVector[]>();
    for (const row of rows) {
      const { chunkId, ...vector } = row as ChunkVector & { readonly chunkId: ChunkId };
      const known = vectors.get(chunkId);
      if (known === undefined) vectors.set(chunkId, [vector]);
      else known.push(vector);
    }
    return vectors;
  }
}

function counted(status: VectorStatus) {
  return sql<number>`count(*) FILTER (WHERE status = ${status})`;
}

function chunkIdsOf(rows: readonly { readonly chunk_id: string }[]): ReadonlySet<ChunkId> {
  return new Set(rows.map((row) => row.chunk_id as ChunkId));
}

/** Changes the records of vectors; `change` runs a change in one transaction of the writer. */
export class PostgresVectorLedgerWriter implements VectorLedgerWriter {
  readonly #change: <T>(change: (tx: Db) => Promise<T>) => Promise<T>;

  constructor(change: <T>(change: (tx: Db) => Promise<T>) => Promise<T>) {
    this.#change = change;
  }

  begin(notes: readonly VectorNote[], at: Date): Promise<void> {
    const time = at.toISOString();
    const unique = new Map(notes.map((note) => [note.embeddingId, note])); // one statement may not change a row twice
    const rows = [...unique.values()].map((note) => pendingVectorRow(note, time));
    return this.#change(async (tx) => {
      for (let from = 0; from < rows.length; from += ROWS_PER_STATEMENT)
        await tx
          .insertInto('embedding_records')
          .values(rows.slice(from, from + ROWS_PER_STATEMENT))
          .onConflict((conflict) =>
            conflict.column('embedding_id').doUpdateSet((row) => ({
              fingerprint: row.ref('excluded.fingerprint'),
              store: row.ref('excluded.store'),
              collection: row.ref('excluded.collection'),
              status: 'pending',
              committed_at: null,
            })),
          )
          .execute();
      await tx
        .updateTable('embedding_records as e')
        .set({ status: 'tombstone' })
        .where(isAnyOf('embedding_id', [...unique.keys()]))
        .where((eb) =>
          eb.not(eb.exists(eb.selectFrom('chunks as c').select('c.seq').whereRef('c.chunk_id', '=', 'e.chunk_id'))),
        )
        .execute();
    });
  }

  commit({ embeddingIds, documents, fingerprint, at }: Parameters<VectorLedgerWriter['commit']>[0]): Promise<void> {
    return this.#change(async (tx) => {
      const { numUpdatedRows } = await tx
        .updateTable('embedding_records')
        .set({ status: 'committed', committed_at: at.toISOString() })
        .where('status', '=', 'pending')
        .where(isAnyOf('embedding_id', embeddingIds))
        .executeTakeFirst();
      if (documents.length > 0)
        await tx
          .updateTable('documents')
          .set({ embedding_fingerprint: fingerprint })
          .where(isAnyOf('doc_id', documents))
          .execute();
      if (numUpdatedRows > 0n) await growRevision(tx);
    });
  }

  doubt(embeddingIds: readonly EmbeddingId[]): Promise<void> {
    return this.#change(async (tx) => {
      await tx
        .updateTable('documents')
        .set({ embedding_fingerprint: null })
        .where('seq', 'in', (records) =>
          records
            .selectFrom('embedding_records as e')
            .innerJoin('chunks as c', 'c.chunk_id', 'e.chunk_id')
            .select('c.doc_seq')
            .where(isAnyOf('e.embedding_id', embeddingIds)),
        )
        .execute();
      await tx
        .updateTable('embedding_records')
        .set({ status: 'pending', committed_at: null })
        .where('status', '=', 'committed')
        .where(isAnyOf('embedding_id', embeddingIds))
        .execute();
      await growRevision(tx);
    });
  }

  forget(embeddingIds: readonly EmbeddingId[]): Promise<void> {
    return this.#change(async (tx) => {
      await tx.deleteFrom('embedding_records').where(isAnyOf('embedding_id', embeddingIds)).execute();
    });
  }

  forgetCollection(collection: string): Promise<number> {
    return this.#change(async (tx) => {
      await tx
        .updateTable('documents')
        .set({ embedding_fingerprint: null })
        .where('embedding_fingerprint', 'in', (records) =>
          records.selectFrom('embedding_records').select('fingerprint').where('collection', '=', collection),
        )
        .execute();
      const { numDeletedRows } = await tx
        .deleteFrom('embedding_records')
        .where('collection', '=', collection)
        .executeTakeFirst();
      await growRevision(tx);
      return Number(numDeletedRows);
    });
  }
}

/** A statement has at most 65,535 parameters, and these rows ten columns. */
const ROWS_PER_STATEMENT = 5000;
