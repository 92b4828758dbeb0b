import type {
  DerivationKind,
  DerivationRecords,
  DocumentTransaction,
  DocumentWriter,
  IngestRunRow,
  QuarantinedFile,
  SeenChanges,
} from '@kebab/core/store';
import { ingestRunRow, nameChanges, quarantineRow } from '@kebab/store-kit';
import { sql } from 'kysely';
import { jobsSchema, type OwnConnection } from '../database/connection.ts';
import { migratedTables } from '../database/migrate.ts';
import type { PostgresDatabase } from '../database/open-database.ts';
import type { Db } from '../database/tables.ts';
import { encodeJson } from '../database/text-encoding.ts';
import { PostgresVectorLedgerWriter } from '../vectors/postgres-vector-ledger.ts';
import type { WordsWriter } from '../words-writer.ts';
import { DocumentChanges } from './document-changes.ts';
import { isAnyOf } from '../database/query-parts.ts';
import { derivationsOf } from './document-queries.ts';
import { writeDocuments } from './write-documents.ts';

/** How many ingest runs are recorded. kebab shows the time of the last one; the others are for manual inspection. */
const KEPT_RUNS = 1000;

type Change = <T>(change: (tx: Db) => Promise<T>) => Promise<T>;

/** Writes through the connection that has the lock: without that connection, nothing is written. */
export class PostgresDocumentWriter implements DocumentWriter {
  readonly vectors: PostgresVectorLedgerWriter;
  readonly derivations: PostgresDerivationRecords;
  readonly #database: PostgresDatabase;
  readonly #own: OwnConnection;
  readonly #words: WordsWriter;
  /** The end of the changes so far; a change begins when the one before it has ended. */
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(database: PostgresDatabase, own: OwnConnection, words: WordsWriter) {
    this.#database = database;
    this.#own = own;
    this.#words = words;
    const change: Change = (body) => this.#change(body);
    this.vectors = new PostgresVectorLedgerWriter(change);
    this.derivations = new PostgresDerivationRecords(database, change);
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

  async sweepAssets(): Promise<readonly string[]> {
    const removed = await this.#change((tx) =>
      tx
        .deleteFrom('assets')
        .where((eb) =>
          eb.not(
            eb.exists(eb.selectFrom('documents').select('seq').whereRef('documents.asset_id', '=', 'assets.asset_id')),
          ),
        )
        .returning(['storage_kind', 'storage_path'])
        .execute(),
    );
    return removed.flatMap(({ storage_kind, storage_path }) => (storage_kind === 'copied' ? [storage_path] : []));
  }

  setIndexedRoot(sourceId: string, root: string | null): Promise<void> {
    return this.#change(async (tx) => {
      await tx.deleteFrom('indexed_roots').where('source_id', '=', sourceId).execute();
      if (root === null) await tx.deleteFrom('seen_places').where('source_id', '=', sourceId).execute();
      else await tx.insertInto('indexed_roots').values({ source_id: sourceId, root }).execute();
    });
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
      if (rows.length > 0)
        await sql`INSERT INTO seen_places SELECT * FROM json_populate_recordset(null::seen_places, ${encodeJson(rows)}::json)`.execute(
          tx,
        );
    });
  }

  recordRun(run: IngestRunRow): Promise<void> {
    return this.#change(async (tx) => {
      await tx.insertInto('ingest_runs').values(ingestRunRow(run)).execute();
      await tx
        .deleteFrom('ingest_runs')
        .where('recorded', '<=', (eb) =>
          eb.selectFrom('ingest_runs').select(sql<number>`max(recorded) - ${KEPT_RUNS}`.as('oldest')),
        )
        .execute();
    });
  }

  setQuarantine(files: readonly QuarantinedFile[]): Promise<void> {
    return this.#change(async (tx) => {
      await tx.deleteFrom('quarantined_files').execute();
      const rows = encodeJson(files.map(quarantineRow));
      await sql`INSERT INTO quarantined_files SELECT * FROM json_populate_recordset(null::quarantined_files, ${rows}::json)`.execute(
        tx,
      );
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

/** Outputs of models on the server, which all machines of a team share. */
export class PostgresDerivationRecords implements DerivationRecords {
  readonly #database: PostgresDatabase;
  readonly #change: Change;

  constructor(database: PostgresDatabase, change: Change) {
    this.#database = database;
    this.#change = change;
  }

  get(kind: DerivationKind, keys: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
    return this.#database.statement((db) => derivationsOf(db, kind, keys));
  }

  async set(
    kind: DerivationKind,
    entries: readonly { readonly key: string; readonly payload: Uint8Array }[],
    at: Date,
  ): Promise<void> {
    const time = at.toISOString();
    const unique = new Map(entries.map(({ key, payload }) => [key, payload])); // one statement may not change a row twice
    const rows = [...unique].map(([cache_key, payload]) => ({
      cache_key,
      kind,
      payload: Buffer.from(payload),
      created_at: time,
      last_used_at: time,
    }));
    if (rows.length === 0) return;
    await this.#change((tx) =>
      tx
        .insertInto('derivation_cache')
        .values(rows)
        .onConflict((conflict) =>
          conflict.column('cache_key').doUpdateSet((row) => ({
            payload: row.ref('excluded.payload'),
            last_used_at: row.ref('excluded.last_used_at'),
          })),
        )
        .execute(),
    );
  }

  async touch(keys: readonly string[], at: Date): Promise<void> {
    if (keys.length === 0) return;
    await this.#change((tx) =>
      tx
        .updateTable('derivation_cache')
        .set({ last_used_at: at.toISOString() })
        .where(isAnyOf('cache_key', keys))
        .execute(),
    );
  }

  async sweep(before: Date): Promise<number> {
    const { numDeletedRows } = await this.#change((tx) =>
      tx.deleteFrom('derivation_cache').where('last_used_at', '<', before.toISOString()).executeTakeFirst(),
    );
    return Number(numDeletedRows);
  }
}
