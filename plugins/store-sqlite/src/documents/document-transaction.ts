import type { DocumentId, DocumentTransaction, DocumentWrite, FileStat, PreparedDocument } from '@kebab/core';
import type { Statements } from '../database/statements.ts';
import type { DocumentRows } from './document-rows.ts';
import { prepareDocument, type PreparedRows } from './prepare-document.ts';

/**
 * The changes of one transaction. When one of them fails, all of it must be undone: a caller that caught the error cannot
 * commit the rest.
 */
export class SqliteDocumentTransaction implements DocumentTransaction {
  readonly #rows: DocumentRows;
  readonly #statements: Statements;
  #hasChanged = false;
  #failure: { readonly error: unknown } | null = null;
  #hasEnded = false;

  constructor(rows: DocumentRows, statements: Statements) {
    this.#rows = rows;
    this.#statements = statements;
  }

  putDocument(document: DocumentWrite | PreparedDocument): void {
    this.#attempt(() => {
      this.#rows.put('prepared' in document ? (document.prepared as PreparedRows) : prepareDocument(document));
      this.#hasChanged = true;
    });
  }

  deleteDocument(id: DocumentId): void {
    this.#attempt(() => {
      if (this.#rows.remove(id)) this.#hasChanged = true;
    });
  }

  touchDocument(id: DocumentId, indexedAt: Date, file: FileStat | null): void {
    this.#attempt(() =>
      this.#statements
        .of('UPDATE documents SET indexed_at = ?, file_size = ?, file_mtime_ns = ? WHERE doc_id = ?')
        .run(indexedAt.toISOString(), file?.size ?? null, file?.mtimeNs ?? null, id),
    );
  }

  touchDocuments(ids: readonly DocumentId[], indexedAt: Date): void {
    this.#attempt(() =>
      this.#statements
        .of('UPDATE documents SET indexed_at = ? WHERE doc_id IN (SELECT value FROM json_each(?))')
        .run(indexedAt.toISOString(), JSON.stringify(ids)),
    );
  }

  /** Completes the transaction before it is committed: full-text rows, then the corpus revision when anything changed. */
  finish(): void {
    this.#hasEnded = true;
    if (this.#failure !== null) throw this.#failure.error satisfies unknown;
    this.#rows.flush();
    if (this.#hasChanged)
      this.#statements
        .of("UPDATE kv SET value = CAST(CAST(value AS INTEGER) + 1 AS TEXT) WHERE key = 'corpus_revision'")
        .run();
  }

  #attempt(change: () => unknown): void {
    if (this.#hasEnded) throw new TypeError('the transaction has ended');
    try {
      change();
    } catch (error) {
      this.#failure ??= { error };
      throw error;
    }
  }
}
