import type { ChunkId, DocumentId, EmbeddingId } from '@kebab/core';
import type { ChunkVector, CollectionCount, VectorLedger, VectorStatus } from '@kebab/core/store';
import { inList, statement, statementsOn, type Placeholder } from '@kebab/sqlite-kit';
import type { Database as Connection } from 'better-sqlite3';
import { build } from '../database/tables.ts';

/** The database's records of vectors; `read` runs a query on one snapshot. */
export class SqliteVectorLedger implements VectorLedger {
  readonly #statements: ReturnType<typeof statementsOf>;
  readonly #read: <T>(query: () => T) => Promise<T>;

  constructor(db: Connection, read: <T>(query: () => T) => Promise<T>) {
    this.#statements = statementsOn(db, statementsOf);
    this.#read = read;
  }

  collections(): Promise<readonly CollectionCount[]> {
    return this.#read(() => this.#statements.collections.all({}));
  }

  documentsWithout(fingerprint: string): Promise<readonly DocumentId[]> {
    return this.#read(() =>
      this.#statements.documentsWithout.all({ fingerprint }).map((row) => row.doc_id as DocumentId),
    );
  }

  countDocumentsWithout(fingerprint: string | null): Promise<number> {
    const { countWithout, countWithoutAny } = this.#statements;
    return this.#read(() => {
      const counted = fingerprint === null ? countWithoutAny.first({}) : countWithout.first({ fingerprint });
      return counted?.documents ?? 0;
    });
  }

  committedChunks(collection: string, docId: DocumentId): Promise<ReadonlySet<ChunkId>> {
    return this.#read(() => chunkIdsOf(this.#statements.committed.all({ collection, doc_id: docId })));
  }

  unsettledChunks(collection: string): Promise<ReadonlySet<ChunkId>> {
    return this.#read(() => chunkIdsOf(this.#statements.unsettled.all({ collection })));
  }

  listVectors(
    collection: string,
    status: VectorStatus,
    { after, limit }: { readonly after: string; readonly limit: number },
  ): Promise<readonly EmbeddingId[]> {
    return this.#read(() =>
      this.#statements.list.all({ status, collection, after, limit }).map((row) => row.embedding_id as EmbeddingId),
    );
  }

  vectorsOf(chunkIds: readonly ChunkId[]): Promise<ReadonlyMap<ChunkId, readonly ChunkVector[]>> {
    return this.#read(() => {
      const vectors = new Map<ChunkId, ChunkVector[]>();
      for (const row of this.#statements.ofChunks.all({ chunk_ids: JSON.stringify(chunkIds) })) {
        const { chunkId, ...vector } = row as ChunkVector & { readonly chunkId: ChunkId };
        const known = vectors.get(chunkId);
        if (known === undefined) vectors.set(chunkId, [vector]);
        else known.push(vector);
      }
      return vectors;
    });
  }
}

function chunkIdsOf(rows: readonly { readonly chunk_id: string }[]): ReadonlySet<ChunkId> {
  return new Set(rows.map((row) => row.chunk_id as ChunkId));
}

interface OfCollection {
  readonly collection: string;
}

function statementsOf(db: Connection) {
  const withoutAny = build.selectFrom('documents').where('embedding_fingerprint', 'is', null);
  return {
    collections: statement(db, () =>
      build
        .selectFrom('embedding_records')
        .select(({ eb, fn }) => [
          'collection',
          fn.max('fingerprint').as('fingerprint'),
          fn<number>('sum', [eb('status', '=', 'committed')]).as('committed'),
          fn<number>('sum', [eb('status', '=', 'pending')]).as('pending'),
          fn<number>('sum', [eb('status', '=', 'tombstone')]).as('tombstones'),
        ])
        .groupBy('collection')
        .orderBy('collection'),
    ),
    documentsWithout: statement(db, (value: Placeholder<{ readonly fingerprint: string }>) =>
      build
        .selectFrom('documents')
        .select('doc_id')
        .where('embedding_fingerprint', 'is not', value('fingerprint'))
        .orderBy('updated_at', 'desc')
        .orderBy('source_id')
        .orderBy('workspace_path'),
    ),
    /** By ranges of the index, so that only documents without vectors are read: usually none. */
    countWithout: statement(db, (value: Placeholder<{ readonly fingerprint: string }>) =>
      build.selectNoFrom((eb) => {
        const count = (operator: '<' | '>') =>
          eb
            .selectFrom('documents')
            .select(({ fn }) => fn.countAll<number>().as('n'))
            .where('embedding_fingerprint', operator, value('fingerprint'));
        const none = withoutAny.select(({ fn }) => fn.countAll<number>().as('n'));
        return eb(eb(count('<'), '+', count('>')), '+', none)
          .$castTo<number>()
          .as('documents');
      }),
    ),
    countWithoutAny: statement(db, () => withoutAny.select(({ fn }) => fn.countAll<number>().as('documents'))),
    /**
     * Joins document, chunks and vectors in that order, by the index on `chunk_id`, as the casts keep other indexes out: otherwise the
     * planner scans every committed vector of the collection for each document, and a first ingest takes quadratic time.
     */
    committed: statement(db, (value: Placeholder<OfCollection & { readonly doc_id: string }>) =>
      build
        .selectFrom('documents as d')
        .crossJoin('chunks as c')
        .crossJoin('embedding_records as e')
        .select('c.chunk_id')
        .whereRef('c.seq', '>=', 'd.first_chunk')
        .where('c.seq', '<', (eb) => eb('d.first_chunk', '+', eb.ref('d.chunk_count')))
        .whereRef('e.chunk_id', '=', 'c.chunk_id')
        .where((eb) => eb(eb.cast<string>('e.collection', 'text'), '=', value('collection')))
        .where((eb) => eb(eb.cast<string>('e.status', 'text'), '=', 'committed'))
        .where('d.doc_id', '=', value('doc_id')),
    ),
    /** `unlikely`, because the statistics give every state the same weight and make the planner read all vectors. */
    unsettled: statement(db, (value: Placeholder<OfCollection>) =>
      build
        .selectFrom('embedding_records')
        .select('chunk_id')
        .where(({ eb, fn }) => fn<boolean>('unlikely', [eb('status', 'in', ['pending', 'tombstone'])]))
        .where('collection', '=', value('collection')),
    ),
    list: statement(
      db,
      (
        value: Placeholder<OfCollection & { readonly status: string; readonly after: string; readonly limit: number }>,
      ) =>
        build
          .selectFrom('embedding_records')
          .select('embedding_id')
          .where('status', '=', value('status'))
          .where('collection', '=', value('collection'))
          .where('embedding_id', '>', value('after'))
          .orderBy('embedding_id')
          .limit(value('limit')),
    ),
    ofChunks: statement(db, (value: Placeholder<{ readonly chunk_ids: string }>) =>
      build
        .selectFrom('embedding_records')
        .select(['chunk_id as chunkId', 'embedding_id as embeddingId', 'model_id as modelId', 'dimensions', 'status'])
        .where('chunk_id', 'in', inList(value('chunk_ids')))
        .where('status', '<>', 'tombstone')
        .orderBy('model_id')
        .orderBy('embedding_id'),
    ),
  };
}
