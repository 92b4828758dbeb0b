import type { DocumentId, FileStat } from '@kebab/core';
import type {
  DocumentTransaction,
  DocumentWrite,
  DocumentWriter,
  PreparedDocument,
  SeenChanges,
} from '@kebab/core/store';
import { asPromise, columnsOf, inList, sqliteCode, statement, statementsOn, type Placeholder } from '@kebab/sqlite-kit';
import {
  nameChanges,
  prepareDocument,
  SqlRecordsWriter,
  SqlVectorLedgerWriter,
  type Change,
  type Engine,
  type PreparedRows,
} from '@kebab/store-kit';
import type { Database as Connection } from 'better-sqlite3';
import { perform } from '../database/engine.ts';
import { guarded } from '../database/store-failure.ts';
import { build, columnsIn, GROW_REVISION, type NewRow } from '../database/tables.ts';
import { SharedEmbeddings } from '../derivations/shared-embeddings.ts';
import { SqliteDerivationRecords } from '../derivations/sqlite-derivation-records.ts';
import { DocumentRows } from './document-rows.ts';
import { mergeFullText, reclaimSpace } from './tidy-up.ts';

/** The settings that a store passes to its writer. */
export interface DocumentWriterOptions {
  readonly engine: Engine;
  /** The file of the embeddings that all knowledge bases of the user share; null for none. */
  readonly embeddingCache: string | null;
  /** Releases the lock; called once. */
  readonly onClose: () => void;
}

const ANALYSIS_ROWS = 400;

/** Writes documents through the connection of its store. Errors of SQLite are thrown as `io_error` or `locked`. */
export class SqliteDocumentWriter extends SqlRecordsWriter implements DocumentWriter {
  readonly vectors: SqlVectorLedgerWriter;
  readonly derivations: SqliteDerivationRecords;
  readonly #db: Connection;
  readonly #statements: ReturnType<typeof statementsOf>;
  readonly #rows: DocumentRows;
  readonly #options: DocumentWriterOptions;
  readonly #shared: SharedEmbeddings | null;
  #isClosed = false;

  constructor(db: Connection, options: DocumentWriterOptions) {
    const { engine, embeddingCache } = options;
    const change: Change = (work) => this.#change(() => perform(db, work));
    super(engine, change);
    this.#db = db;
    this.#statements = statementsOn(db, statementsOf);
    this.#rows = new DocumentRows(db);
    this.#options = options;
    this.vectors = new SqlVectorLedgerWriter(engine, change);
    this.#shared = embeddingCache === null ? null : new SharedEmbeddings(embeddingCache);
    this.derivations = new SqliteDerivationRecords(engine, change, this.#shared);
    if (!this.#rows.fullText.isCurrent()) this.#changeNow(() => this.#rows.fullText.rebuild());
  }

  transaction(change: (tx: DocumentTransaction) => void): Promise<void> {
    return this.#change(() => {
      const tx = new SqliteDocumentTransaction(this.#rows, this.#statements);
      nameChanges(tx, change);
      tx.finish();
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
    return guarded(this.#options.engine.location, () => {
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
    growRevision: statement(db, () => GROW_REVISION),
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
    forgetSeenAt: statement(db, (value: Placeholder<{ readonly source_id: string; readonly paths: string }>) =>
      build
        .deleteFrom('seen_places')
        .where('source_id', '=', value('source_id'))
        .where('path', 'in', inList(value('paths'))),
    ),
    addSeen: statement(db, (value: Placeholder<NewRow<'seen_places'>>) =>
      build.insertInto('seen_places').values(columnsOf(value, columnsIn('seen_places'))),
    ),
  };
}
