import type { DocumentTransaction, DocumentWriter, SeenChanges } from '@kebab/core/store';
import {
  nameChanges,
  SqlDerivationRecords,
  SqlRecordsWriter,
  SqlVectorLedgerWriter,
  type Change,
} from '@kebab/store-kit';
import { sql } from 'kysely';
import { jobsSchema, type OwnConnection } from '../database/connection.ts';
import { perform, postgresEngine } from '../database/engine.ts';
import { migratedTables } from '../database/migrate.ts';
import type { PostgresDatabase } from '../database/open-database.ts';
import type { Db } from '../database/tables.ts';
import type { WordsWriter } from '../words-writer.ts';
import { DocumentChanges } from './document-changes.ts';
import { isAnyOf } from '../database/query-parts.ts';
import { addRows, writeDocuments } from './write-documents.ts';

/** Writes through the connection that has the lock: without that connection, nothing is written. */
export class PostgresDocumentWriter extends SqlRecordsWriter implements DocumentWriter {
  readonly vectors: SqlVectorLedgerWriter;
  readonly derivations: SqlDerivationRecords;
  readonly #database: PostgresDatabase;
  readonly #own: OwnConnection;
  readonly #words: WordsWriter;
  /** The end of the changes so far; a change begins when the one before it has ended. */
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(database: PostgresDatabase, own: OwnConnection, words: WordsWriter) {
    const engine = postgresEngine(database);
    const change: Change = (work) => this.#change((tx) => perform(tx, work));
    super(engine, change);
    this.#database = database;
    this.#own = own;
    this.#words = words;
    this.vectors = new SqlVectorLedgerWriter(engine, change);
    this.derivations = new SqlDerivationRecords(engine, change);
  }

  /** Brings the words of stored documents up to date, which a new version of the analysis reads differently. */
  refreshWords(): Promise<void> {
    return this.#change((tx) => this.#words.refresh(tx));
  }

  async transaction(change: (tx: DocumentTransaction) => void): Promise<void> {
    const changes = new DocumentChanges(this.#words);
    nameChanges(changes, change);
    await this.#change((tx) => writeDocuments(tx, changes, this.#words));
  }

  async setSeen(sourceId: string, { put, remove }: SeenChanges): Promise<void> {
    if (put.length + remove.length === 0) return;
    const gone = [...remove, ...put.map(({ path }) => path)];
    const rows = put.map(({ path, kind, size, mtimeMs }) => ({
      source_id: sourceId,
      path,
      kind,
      size,
      mtime_ms: mtimeMs,
    }));
    await this.#change(async (tx) => {
      await tx.deleteFrom('seen_places').where('source_id', '=', sourceId).where(isAnyOf('path', gone)).execute();
      await addRows(tx, 'seen_places', rows);
    });
  }

  /** Removes the tables of all migrations, the schema if nothing else is in it, and the schema of the queue. */
  removeAll(): Promise<void> {
    return this.#change(async (tx) => {
      for (const table of migratedTables().toReversed())
        await tx.schema.dropTable(table).ifExists().cascade().execute();
      const { rows } = await sql<{ readonly schema: string; readonly left: number }>`
        SELECT current_schema() AS schema, count(c.oid) AS left
        FROM pg_namespace n LEFT JOIN pg_class c ON c.relnamespace = n.oid
        WHERE n.nspname = current_schema() GROUP BY 1`.execute(tx);
      for (const { schema, left } of rows)
        if (left === 0 && schema !== 'public') await tx.schema.dropSchema(schema).execute();
      for (const { schema } of rows) await tx.schema.dropSchema(jobsSchema(schema)).ifExists().cascade().execute();
    });
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#last;
    await this.#own.close();
  }

  #change<T>(change: (tx: Db) => Promise<T>): Promise<T> {
    if (this.#isClosed) return Promise.reject(new TypeError('the writer has been closed'));
    const changed = this.#last.then(() => this.#database.guard(() => this.#own.db.transaction().execute(change)));
    this.#last = changed.catch(() => {});
    return changed;
  }
}
