import type { DocumentId, EmbeddingId } from '@kebab/core';
import type { VectorLedgerWriter, VectorNote } from '@kebab/core/store';
import { columnsOf, inList, statement, statementsOn, type Placeholder } from '@kebab/sqlite-kit';
import { pendingVectorRow } from '@kebab/store-kit';
import type { Database as Connection } from 'better-sqlite3';
import { build, columnsIn, growRevision, type NewRow } from '../database/tables.ts';

/** Changes the database's records of vectors; `change` runs a change in one transaction. */
export class SqliteVectorLedgerWriter implements VectorLedgerWriter {
  readonly #statements: ReturnType<typeof statementsOf>;
  readonly #change: <T>(change: () => T) => Promise<T>;

  constructor(db: Connection, change: <T>(change: () => T) => Promise<T>) {
    this.#statements = statementsOn(db, statementsOf);
    this.#change = change;
  }

  begin(notes: readonly VectorNote[], at: Date): Promise<void> {
    const time = at.toISOString();
    return this.#change(() => {
      for (const note of notes) this.#statements.begin.run(pendingVectorRow(note, time));
      this.#statements.bury.run({ embedding_ids: JSON.stringify(notes.map(({ embeddingId }) => embeddingId)) });
    });
  }

  commit({ embeddingIds, documents, fingerprint, at }: Parameters<VectorLedgerWriter['commit']>[0]): Promise<void> {
    return this.#change(() => {
      const { changes } = this.#statements.commit.run({
        committed_at: at.toISOString(),
        embedding_ids: JSON.stringify(embeddingIds),
      });
      this.#markWhole(documents, fingerprint);
      if (changes > 0) this.#statements.growRevision.run({});
    });
  }

  doubt(embeddingIds: readonly EmbeddingId[]): Promise<void> {
    const ids = { embedding_ids: JSON.stringify(embeddingIds) };
    return this.#change(() => {
      this.#statements.notWhole.run(ids);
      this.#statements.doubt.run(ids);
      this.#statements.growRevision.run({});
    });
  }

  forget(embeddingIds: readonly EmbeddingId[]): Promise<void> {
    return this.#change(() => {
      this.#statements.forget.run({ embedding_ids: JSON.stringify(embeddingIds) });
    });
  }

  forgetCollection(collection: string): Promise<number> {
    return this.#change(() => {
      this.#statements.noneWhole.run({ collection });
      const { changes } = this.#statements.forgetCollection.run({ collection });
      this.#statements.growRevision.run({});
      return changes;
    });
  }

  #markWhole(documents: readonly DocumentId[], fingerprint: string): void {
    if (documents.length > 0) this.#statements.whole.run({ fingerprint, doc_ids: JSON.stringify(documents) });
  }
}

interface Ids {
  readonly embedding_ids: string;
}

function statementsOf(db: Connection) {
  return {
    growRevision: growRevision(db),
    begin: statement(db, (value: Placeholder<Omit<NewRow<'embedding_records'>, 'committed_at'>>) =>
      build
        .insertInto('embedding_records')
        .values(columnsOf(value, columnsIn('embedding_records', 'committed_at')))
        .onConflict((conflict) =>
          conflict.doUpdateSet((row) => ({
            fingerprint: row.ref('excluded.fingerprint'),
            store: row.ref('excluded.store'),
            collection: row.ref('excluded.collection'),
            status: 'pending',
            committed_at: null,
          })),
        ),
    ),
    bury: statement(db, (value: Placeholder<Ids>) =>
      build
        .updateTable('embedding_records')
        .set({ status: 'tombstone' })
        .where('embedding_id', 'in', inList(value('embedding_ids')))
        .where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom('chunks')
                .select('seq')
                .where('chunk_key', '=', eb.fn<Uint8Array>('unhex', ['embedding_records.chunk_id'])),
            ),
          ),
        ),
    ),
    commit: statement(db, (value: Placeholder<Ids & { readonly committed_at: string }>) =>
      build
        .updateTable('embedding_records')
        .set({ status: 'committed', committed_at: value('committed_at') })
        .where('status', '=', 'pending')
        .where('embedding_id', 'in', inList(value('embedding_ids'))),
    ),
    whole: statement(db, (value: Placeholder<{ readonly fingerprint: string; readonly doc_ids: string }>) =>
      build
        .updateTable('documents')
        .set({ embedding_fingerprint: value('fingerprint') })
        .where('doc_id', 'in', inList(value('doc_ids'))),
    ),
    notWhole: statement(db, (value: Placeholder<Ids>) =>
      build
        .updateTable('documents')
        .set({ embedding_fingerprint: null })
        .where('seq', 'in', (records) =>
          records
            .selectFrom('embedding_records as e')
            .innerJoin('chunks as c', (on) =>
              on.on('c.chunk_key', '=', ({ fn }) => fn<Uint8Array>('unhex', ['e.chunk_id'])),
            )
            .select('c.doc_seq')
            .where('e.embedding_id', 'in', inList(value('embedding_ids'))),
        ),
    ),
    doubt: statement(db, (value: Placeholder<Ids>) =>
      build
        .updateTable('embedding_records')
        .set({ status: 'pending', committed_at: null })
        .where('status', '=', 'committed')
        .where('embedding_id', 'in', inList(value('embedding_ids'))),
    ),
    forget: statement(db, (value: Placeholder<Ids>) =>
      build.deleteFrom('embedding_records').where('embedding_id', 'in', inList(value('embedding_ids'))),
    ),
    noneWhole: statement(db, (value: Placeholder<{ readonly collection: string }>) =>
      build
        .updateTable('documents')
        .set({ embedding_fingerprint: null })
        .where('embedding_fingerprint', 'in', (records) =>
          records.selectFrom('embedding_records').select('fingerprint').where('collection', '=', value('collection')),
        ),
    ),
    forgetCollection: statement(db, (value: Placeholder<{ readonly collection: string }>) =>
      build.deleteFrom('embedding_records').where('collection', '=', value('collection')),
    ),
  };
}
