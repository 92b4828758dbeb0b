import type {
  DocumentTransaction,
  DocumentWrite,
  DocumentWriter,
  IngestRunRow,
  PreparedDocument,
  QuarantinedFile,
} from '@kebab/core';
import type { Database as Connection } from 'better-sqlite3';
import { Statements } from '../database/statements.ts';
import { sqliteCode, storeFailure } from '../database/store-failure.ts';
import { SqliteDerivationRecords } from '../derivations/sqlite-derivation-records.ts';
import { SqliteVectorLedgerWriter } from '../vectors/vector-ledger-writer.ts';
import { DocumentRows } from './document-rows.ts';
import { SqliteDocumentTransaction } from './document-transaction.ts';
import { mergeFullText } from './merge-full-text.ts';
import { prepareDocument } from './prepare-document.ts';
import { writeQuarantine } from './quarantine.ts';
import { reclaimSpace } from './reclaim-space.ts';

/** What a writer is given by its store. */
export interface DocumentWriterOptions {
  readonly location: string;
  /** Gives the lock back; called once. */
  readonly onClose: () => void;
}

const ANALYSIS_ROWS = 400;

/** Writes documents through the connection of its store. Errors of SQLite come out as `io_error` or `locked`. */
export class SqliteDocumentWriter implements DocumentWriter {
  readonly vectors: SqliteVectorLedgerWriter;
  readonly derivations: SqliteDerivationRecords;
  readonly #db: Connection;
  readonly #statements: Statements;
  readonly #rows: DocumentRows;
  readonly #options: DocumentWriterOptions;
  #isClosed = false;

  constructor(db: Connection, options: DocumentWriterOptions) {
    this.#db = db;
    this.#statements = new Statements(db);
    this.#rows = new DocumentRows(db);
    this.#options = options;
    const change = <T>(body: () => T): T => this.#change(body);
    this.vectors = new SqliteVectorLedgerWriter(this.#statements, change);
    this.derivations = new SqliteDerivationRecords(this.#statements, change);
  }

  prepare(write: DocumentWrite): PreparedDocument {
    return { docId: write.document.docId, prepared: prepareDocument(write) };
  }

  transaction<T>(change: (tx: DocumentTransaction) => T): T {
    return this.#change(() => {
      const tx = new SqliteDocumentTransaction(this.#rows, this.#statements);
      const result = change(tx);
      tx.finish();
      return result;
    });
  }

  sweepAssets(): readonly string[] {
    const sql = `DELETE FROM assets WHERE NOT EXISTS (SELECT 1 FROM documents d WHERE d.asset_id = assets.asset_id)
      RETURNING CASE storage_kind WHEN 'copied' THEN storage_path END`;
    const paths = this.#change(() => this.#statements.firstColumnOf(sql).all() as readonly (string | null)[]);
    return paths.filter((path) => path !== null);
  }

  recordRun(run: IngestRunRow): void {
    this.#change(() =>
      this.#statements
        .of(
          `INSERT INTO ingest_runs (run_id, scope_json, scanned, new_count, updated_count, unchanged_count, skipped_count,
           error_count, purged_count, embeddings_pending, aborted, duration_ms, started_at, finished_at, items_json)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        )
        .run(
          ...[run.runId, run.scopeJson, run.scanned, run.newCount, run.updatedCount, run.unchangedCount],
          ...[run.skippedCount, run.errorCount, run.purgedCount, run.embeddingsPending, run.aborted ? 1 : 0],
          ...[run.durationMs, run.startedAt.toISOString(), run.finishedAt.toISOString(), run.itemsJson],
        ),
    );
  }

  setQuarantine(files: readonly QuarantinedFile[]): void {
    this.#change(() => writeQuarantine(this.#statements, files));
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    try {
      if (this.#db.open) this.#tidyUp();
    } finally {
      this.#options.onClose();
    }
  }

  /** What makes later searches and writes cheaper. Nothing depends on it, so that a full disk here fails no ingest. */
  #tidyUp(): void {
    try {
      mergeFullText(this.#db, this.#rows.removedChunks);
      reclaimSpace(this.#db);
      this.#db.exec(`PRAGMA analysis_limit = ${ANALYSIS_ROWS}; PRAGMA optimize;`);
    } catch (error) {
      if (sqliteCode(error) === undefined) throw error;
    }
  }

  #change<T>(change: () => T): T {
    if (this.#isClosed) throw new TypeError('the writer has been closed');
    if (this.#db.inTransaction) throw new TypeError('transactions do not nest');
    return this.#guard(() => {
      try {
        return this.#db.transaction(change).immediate();
      } finally {
        this.#rows.discard();
      }
    });
  }

  #guard<T>(act: () => T): T {
    try {
      return act();
    } catch (error) {
      throw storeFailure(error, this.#options.location) satisfies unknown;
    }
  }
}
