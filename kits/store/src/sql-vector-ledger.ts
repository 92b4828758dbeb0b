import type { ChunkId, DocumentId, EmbeddingId } from '@kebab/core';
import type {
  ChunkVector,
  CollectionCount,
  VectorLedger,
  VectorLedgerWriter,
  VectorNote,
  VectorStatus,
} from '@kebab/core/store';
import { pendingVectorRow } from './archive-rows.ts';
import { changesOf, insertAll, rowsOf, type Change, type Engine } from './engine.ts';

/** The records of vectors. */
export class SqlVectorLedger implements VectorLedger {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  collections(): Promise<readonly CollectionCount[]> {
    return this.#engine.read((build) =>
      rowsOf(
        build
          .selectFrom('embedding_records')
          .select(({ fn }) => [
            'collection',
            fn.max('fingerprint').as('fingerprint'),
            fn.countAll<number>().filterWhere('status', '=', 'committed').as('committed'),
            fn.countAll<number>().filterWhere('status', '=', 'pending').as('pending'),
            fn.countAll<number>().filterWhere('status', '=', 'tombstone').as('tombstones'),
          ])
          .groupBy('collection')
          .orderBy('collection'),
      ),
    );
  }

  async documentsWithout(fingerprint: string): Promise<readonly DocumentId[]> {
    const rows = await this.#engine.read((build) =>
      rowsOf(
        build
          .selectFrom('documents')
          .select('doc_id')
          .where('embedding_fingerprint', 'is distinct from', fingerprint)
          .orderBy('updated_at', 'desc')
          .orderBy('source_id')
          .orderBy('workspace_path'),
      ),
    );
    return rows.map((row) => row.doc_id as DocumentId);
  }

  /** By ranges of the index, so that only documents without vectors are read: usually none. Nothing is below or above null. */
  async countDocumentsWithout(fingerprint: string | null): Promise<number> {
    const [row] = await this.#engine.read((build) =>
      rowsOf(
        build.selectNoFrom((eb) => {
          const count = (operator: 'is' | '<' | '>', value: string | null) =>
            eb
              .selectFrom('documents')
              .select(({ fn }) => fn.countAll<number>().as('n'))
              .where('embedding_fingerprint', operator, value as string);
          return eb(eb(count('<', fingerprint), '+', count('>', fingerprint)), '+', count('is', null))
            .$castTo<number>()
            .as('documents');
        }),
      ),
    );
    return row?.documents ?? 0;
  }

  /**
   * Joins document, chunks and vectors in that order, by the index on `chunk_id`, as the casts keep other indexes of SQLite out: otherwise
   * its planner scans every committed vector of the collection for each document, and a first ingest takes quadratic time.
   */
  async committedChunks(collection: string, docId: DocumentId): Promise<ReadonlySet<ChunkId>> {
    const rows = await this.#engine.read((build) =>
      rowsOf(
        build
          .selectFrom('documents as d')
          .crossJoin('chunks as c')
          .crossJoin('embedding_records as e')
          .select('c.chunk_id')
          .whereRef('c.seq', '>=', 'd.first_chunk')
          .where('c.seq', '<', (eb) => eb('d.first_chunk', '+', eb.ref('d.chunk_count')))
          .whereRef('e.chunk_id', '=', 'c.chunk_id')
          .where((eb) => eb(eb.cast<string>('e.collection', 'text'), '=', collection))
          .where((eb) => eb(eb.cast<string>('e.status', 'text'), '=', 'committed'))
          .where('d.doc_id', '=', docId),
      ),
    );
    return chunkIdsOf(rows);
  }

  async unsettledChunks(collection: string): Promise<ReadonlySet<ChunkId>> {
    const rows = await this.#engine.read((build) =>
      rowsOf(
        build
          .selectFrom('embedding_records')
          .select('chunk_id')
          .where(this.#engine.isUnsettled)
          .where('collection', '=', collection),
      ),
    );
    return chunkIdsOf(rows);
  }

  async listVectors(
    collection: string,
    status: VectorStatus,
    { after, limit }: { readonly after: string; readonly limit: number },
  ): Promise<readonly EmbeddingId[]> {
    const rows = await this.#engine.read((build) =>
      rowsOf(
        build
          .selectFrom('embedding_records')
          .select('embedding_id')
          .where('status', '=', status)
          .where('collection', '=', collection)
          .where('embedding_id', '>', after)
          .orderBy('embedding_id')
          .limit(limit),
      ),
    );
    return rows.map((row) => row.embedding_id as EmbeddingId);
  }

  async vectorsOf(chunkIds: readonly ChunkId[]): Promise<ReadonlyMap<ChunkId, readonly ChunkVector[]>> {
    const rows = await this.#engine.read((build) =>
      rowsOf(
        build
          .selectFrom('embedding_records')
          .select(['chunk_id as chunkId', 'embedding_id as embeddingId', 'model_id as modelId', 'dimensions', 'status'])
          .where(this.#engine.isAnyOf('chunk_id', chunkIds))
          .where('status', '<>', 'tombstone')
          .orderBy('model_id')
          .orderBy('embedding_id'),
      ),
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

function chunkIdsOf(rows: readonly { readonly chunk_id: string }[]): ReadonlySet<ChunkId> {
  return new Set(rows.map((row) => row.chunk_id as ChunkId));
}

/** Changes the records of vectors; `change` runs a change in one transaction of the writer. */
export class SqlVectorLedgerWriter implements VectorLedgerWriter {
  readonly #engine: Engine;
  readonly #change: Change;

  constructor(engine: Engine, change: Change) {
    this.#engine = engine;
    this.#change = change;
  }

  begin(notes: readonly VectorNote[], at: Date): Promise<void> {
    const { isAnyOf, isSameChunk } = this.#engine;
    const time = at.toISOString();
    const unique = new Map(notes.map((note) => [note.embeddingId, note])); // one statement may not change a row twice
    const rows = [...unique.values()].map((note) => pendingVectorRow(note, time));
    return this.#change(function* (build) {
      yield* insertAll(rows, (some) =>
        build
          .insertInto('embedding_records')
          .values(some)
          .onConflict((conflict) =>
            conflict.column('embedding_id').doUpdateSet((row) => ({
              fingerprint: row.ref('excluded.fingerprint'),
              store: row.ref('excluded.store'),
              collection: row.ref('excluded.collection'),
              status: 'pending',
              committed_at: null,
            })),
          ),
      );
      yield build
        .updateTable('embedding_records as e')
        .set({ status: 'tombstone' })
        .where(isAnyOf('e.embedding_id', [...unique.keys()]))
        .where((eb) => eb.not(eb.exists(eb.selectFrom('chunks as c').select('c.seq').where(isSameChunk))));
    });
  }

  commit({ embeddingIds, documents, fingerprint, at }: Parameters<VectorLedgerWriter['commit']>[0]): Promise<void> {
    const { isAnyOf, growRevision } = this.#engine;
    return this.#change(function* (build) {
      const committed = yield* changesOf(
        build
          .updateTable('embedding_records')
          .set({ status: 'committed', committed_at: at.toISOString() })
          .where('status', '=', 'pending')
          .where(isAnyOf('embedding_id', embeddingIds)),
      );
      if (documents.length > 0)
        yield build
          .updateTable('documents')
          .set({ embedding_fingerprint: fingerprint })
          .where(isAnyOf('doc_id', documents));
      if (committed > 0) yield growRevision;
    });
  }

  doubt(embeddingIds: readonly EmbeddingId[]): Promise<void> {
    const { isAnyOf, isSameChunk, growRevision } = this.#engine;
    return this.#change(function* (build) {
      yield build
        .updateTable('documents')
        .set({ embedding_fingerprint: null })
        .where('seq', 'in', (records) =>
          records
            .selectFrom('embedding_records as e')
            .innerJoin('chunks as c', (on) => on.on(isSameChunk))
            .select('c.doc_seq')
            .where(isAnyOf('e.embedding_id', embeddingIds)),
        );
      yield build
        .updateTable('embedding_records')
        .set({ status: 'pending', committed_at: null })
        .where('status', '=', 'committed')
        .where(isAnyOf('embedding_id', embeddingIds));
      yield growRevision;
    });
  }

  async forget(embeddingIds: readonly EmbeddingId[]): Promise<void> {
    const isOne = this.#engine.isAnyOf('embedding_id', embeddingIds);
    await this.#change((build) => changesOf(build.deleteFrom('embedding_records').where(isOne)));
  }

  forgetCollection(collection: string): Promise<number> {
    const { growRevision } = this.#engine;
    return this.#change(function* (build) {
      yield build
        .updateTable('documents')
        .set({ embedding_fingerprint: null })
        .where('embedding_fingerprint', 'in', (records) =>
          records.selectFrom('embedding_records').select('fingerprint').where('collection', '=', collection),
        );
      const forgotten = yield* changesOf(build.deleteFrom('embedding_records').where('collection', '=', collection));
      yield growRevision;
      return forgotten;
    });
  }
}
