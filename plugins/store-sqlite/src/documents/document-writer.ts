import type { DocumentId, FileStat } from '@kebab/core';
import type {
  DocumentTransaction,
  DocumentWrite,
  DocumentWriter,
  IngestRunRow,
  PreparedDocument,
  QuarantinedFile,
  SeenChanges,
} from '@kebab/core/store';
import { asPromise, columnsOf, inList, sqliteCode, statement, statementsOn, type Placeholder } from '@kebab/sqlite-kit';
import { ingestRunRow, nameChanges, prepareDocument, quarantineRow, type PreparedRows } from '@kebab/store-kit';
import type { Database as Connection } from 'better-sqlite3';
import { guarded } from '../database/store-failure.ts';
import { build, columnsIn, growRevision, ROW_ID, type NewRow } from '../database/tables.ts';
import { SharedEmbeddings } from '../derivations/shared-embeddings.ts';
import { SqliteDerivationRecords } from '../derivations/sqlite-derivation-records.ts';
import { SqliteVectorLedgerWriter } from '../vectors/vector-ledger-writer.ts';
import { DocumentRows } from './document-rows.ts';
import { mergeFullText, reclaimSpace } from './tidy-up.ts';

/** How many ingest runs are recorded. kebab shows the time of the last one; the others are for manual inspection. */
const KEPT_RUNS = 1000;

/** The settings that a store passes to its writer. */
export interface DocumentWriterOptions {
  readonly location: string;
  /** The file of the embeddings that all knowledge bases of the user share; null for none. */
  readonly embeddingCache: string | null;
  /** Releases the lock; called once. */
  readonly onClose: () => void;
}

const ANALYSIS_ROWS = 400;

/** Writes documents through the connection of its store. Errors of SQLite are thrown as `io_error` or `locked`. */
export class SqliteDocumentWriter implements DocumentWriter {
  readonly vectors: SqliteVectorLedgerWriter;
  readonly derivations: SqliteDerivationRecords;
  readonly #db: Connection;
  readonly #statements: ReturnType<typeof statementsOf>;
  readonly #rows: DocumentRows;
  readonly #options: DocumentWriterOptions;
  readonly #shared: SharedEmbeddings | null;
  #isClosed = false;

  constructor(db: Connection, options: DocumentWriterOptions) {
    this.#db = db;
    this.#statements = statementsOn(db, statementsOf);
    this.#rows = new DocumentRows(db);
    this.#options = options;
    const change = <T>(body: () => T): Promise<T> => this.#change(body);
    this.vectors = new SqliteVectorLedgerWriter(db, change);
    this.#shared = options.embeddingCache === null ? null : new SharedEmbeddings(options.embeddingCache);
    this.derivations = new SqliteDerivationRecords(db, change, this.#shared);
    if (!this.#rows.fullText.isCurrent()) this.#changeNow(() => this.#rows.fullText.rebuild());
  }

  transaction(change: (tx: DocumentTransaction) => void): Promise<void> {
    return this.#change(() => {
      const tx = new SqliteDocumentTransaction(this.#rows, this.#statements);
      nameChanges(tx, change);
      tx.finish();
    });
  }

  async sweepAssets(): Promise<readonly string[]> {
    const removed = await this.#change(() => this.#statements.sweepAssets.all({}));
    return removed.flatMap(({ storage_kind, storage_path }) => (storage_kind === 'copied' ? [storage_path] : []));
  }

  setIndexedRoot(sourceId: string, root: string | null): Promise<void> {
    return this.#change(() => {
      this.#statements.forgetRoot.run({ source_id: sourceId });
      if (root === null) this.#statements.forgetSeen.run({ source_id: sourceId });
      if (root !== null) this.#statements.addRoot.run({ source_id: sourceId, root });
    });
  }

  setSeen(sourceId: string, { put, remove }: SeenChanges): Promise<void> {
    if (put.length + remove.length === 0) return Promise.resolve();
    return this.#change(() => {
      const gone = [...remove, ...put.map(({ path }) => path)];
      this.#statements.forgetSeenAt.run({ source_id: sourceId, paths: JSON.stringify(gone) });
      for (const { path, kind, size, mtimeMs } of put)
        this.#statements.addSeen.run({ source_id: sourceId, path, kind, size, mtime_ms: mtimeMs });
    });
  }

  recordRun(run: IngestRunRow): Promise<void> {
    return this.#change(() => {
      this.#statements.addRun.run(ingestRunRow(run));
      this.#statements.forgetRuns.run({});
    });
  }

  setQuarantine(files: readonly QuarantinedFile[]): Promise<void> {
    return this.#change(() => {
      this.#statements.clearQuarantine.run({});
      for (const file of files) this.#statements.addQuarantined.run(quarantineRow(file));
    });
  }

  close(): Promise<void> {
    return asPromise(() => this.closeNow());
  }

  /** Closes it before the connection does. */
  closeNow(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    try {
      this.#shared?.close();
      if (this.#db.open) this.#tidyUp();
    } finally {
      this.#options.onClose();
    }
  }

  /** Makes later searches and writes cheaper. Optional, so errors of SQLite such as a full disk are ignored. */
  #tidyUp(): void {
    try {
      mergeFullText(this.#db, this.#rows.removedChunks);
      reclaimSpace(this.#db);
      this.#db.exec(`PRAGMA analysis_limit = ${ANALYSIS_ROWS}; PRAGMA optimize;`);
    } catch (error) {
      if (sqliteCode(error) === undefined) throw error;
    }
  }

  #change<T>(change: () => T): Promise<T> {
    return asPromise(() => this.#changeNow(change));
  }

  #changeNow<T>(change: () => T): T {
    if (this.#isClosed) throw new TypeError('the writer has been closed');
    if (this.#db.inTransaction) throw new TypeError('transactions do not nest');
    return guarded(this.#options.location, () => {
      try {
        return this.#db.transaction(change).immediate();
      } finally {
        this.#rows.discard();
      }
    });
  }
}

/** The changes of one transaction, which are made as they are named. */
class SqliteDocumentTransaction implements DocumentTransaction {
  readonly #rows: DocumentRows;
  readonly #statements: ReturnType<typeof statementsOf>;
  #hasChanged = false;

  constructor(rows: DocumentRows, statements: ReturnType<typeof statementsOf>) {
    this.#rows = rows;
    this.#statements = statements;
  }

  putDocument(document: DocumentWrite | PreparedDocument): void {
    this.#rows.put('prepared' in document ? (document.prepared as PreparedRows) : prepareDocument(document));
    this.#hasChanged = true;
  }

  deleteDocument(id: DocumentId): void {
    if (this.#rows.remove(id)) this.#hasChanged = true;
  }

  touchDocument(id: DocumentId, indexedAt: Date, file: FileStat | null): void {
    this.#statements.touch.run({
      doc_id: id,
      indexed_at: indexedAt.toISOString(),
      file_size: file?.size ?? null,
      file_mtime_ns: file?.mtimeNs ?? null,
    });
  }

  touchDocuments(ids: readonly DocumentId[], indexedAt: Date): void {
    this.#statements.touchAll.run({ doc_ids: JSON.stringify(ids), indexed_at: indexedAt.toISOString() });
  }

  /** Completes the transaction before it is committed: writes the full-text rows, then the corpus revision if anything changed. */
  finish(): void {
    this.#rows.flush();
    if (this.#hasChanged) this.#statements.growRevision.run({});
  }
}

function statementsOf(db: Connection) {
  return {
    growRevision: growRevision(db),
    touch: statement(
      db,
      (value: Placeholder<Pick<NewRow<'documents'>, 'doc_id' | 'indexed_at' | 'file_size' | 'file_mtime_ns'>>) =>
        build
          .updateTable('documents')
          .set({
            indexed_at: value('indexed_at'),
            file_size: value('file_size'),
            file_mtime_ns: value('file_mtime_ns'),
          })
          .where('doc_id', '=', value('doc_id')),
    ),
    touchAll: statement(db, (value: Placeholder<{ readonly doc_ids: string; readonly indexed_at: string }>) =>
      build
        .updateTable('documents')
        .set({ indexed_at: value('indexed_at') })
        .where('doc_id', 'in', inList(value('doc_ids'))),
    ),
    sweepAssets: statement(db, () =>
      build
        .deleteFrom('assets')
        .where((asset) =>
          asset.not(
            asset.exists(
              asset.selectFrom('documents').select('seq').whereRef('documents.asset_id', '=', 'assets.asset_id'),
            ),
          ),
        )
        .returning(['storage_kind', 'storage_path']),
    ),
    forgetRoot: statement(db, (value: Placeholder<Pick<NewRow<'indexed_roots'>, 'source_id'>>) =>
      build.deleteFrom('indexed_roots').where('source_id', '=', value('source_id')),
    ),
    addRoot: statement(db, (value: Placeholder<NewRow<'indexed_roots'>>) =>
      build.insertInto('indexed_roots').values(columnsOf(value, columnsIn('indexed_roots'))),
    ),
    forgetSeen: statement(db, (value: Placeholder<Pick<NewRow<'seen_places'>, 'source_id'>>) =>
      build.deleteFrom('seen_places').where('source_id', '=', value('source_id')),
    ),
    forgetSeenAt: statement(db, (value: Placeholder<{ readonly source_id: string; readonly paths: string }>) =>
      build
        .deleteFrom('seen_places')
        .where('source_id', '=', value('source_id'))
        .where('path', 'in', inList(value('paths'))),
    ),
    addSeen: statement(db, (value: Placeholder<NewRow<'seen_places'>>) =>
      build.insertInto('seen_places').values(columnsOf(value, columnsIn('seen_places'))),
    ),
    addRun: statement(db, (value: Placeholder<NewRow<'ingest_runs'>>) =>
      build.insertInto('ingest_runs').values(columnsOf(value, columnsIn('ingest_runs'))),
    ),
    forgetRuns: statement(db, () =>
      build.deleteFrom('ingest_runs').where((eb) =>
        eb(
          ROW_ID,
          '<=',
          eb(
            eb.selectFrom('ingest_runs').select(({ fn }) => fn.max<number>(ROW_ID).as('newest')),
            '-',
            eb.lit(KEPT_RUNS),
          ),
        ),
      ),
    ),
    clearQuarantine: statement(db, () => build.deleteFrom('quarantined_files')),
    addQuarantined: statement(db, (value: Placeholder<NewRow<'quarantined_files'>>) =>
      build.insertInto('quarantined_files').values(columnsOf(value, columnsIn('quarantined_files'))),
    ),
  };
}
