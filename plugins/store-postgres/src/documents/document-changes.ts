import type { DocumentId, FileStat } from '@kebab/core';
import { documentDate, type DocumentTransaction, type DocumentWrite, type PreparedDocument } from '@kebab/core/store';
import { prepareDocument, type PreparedRows } from '@kebab/store-kit';
import type { ChunkWords, WordsWriter } from '../words-writer.ts';

/** A document as it is written. */
export interface PostgresDocument {
  readonly rows: PreparedRows;
  /** What filters by time compare. */
  readonly date: string;
  readonly words: readonly ChunkWords[];
}

/** Encodes a document as rows. Throws a TypeError if its parts are inconsistent. */
export function postgresDocument(write: DocumentWrite, words: WordsWriter): PostgresDocument {
  const { user, updatedAt } = write.document.metadata;
  return {
    rows: prepareDocument(write),
    date: documentDate(user, updatedAt).toISOString(),
    words: words.encode(write.index),
  };
}

/** When a document was found unchanged; `file` is undefined if it has the recorded size and time. */
interface Touch {
  readonly indexedAt: string;
  readonly file?: FileStat | null | undefined;
}

/**
 * The changes of one transaction, in the order in which they were named: what remains of them after later ones have replaced earlier ones.
 */
export class DocumentChanges implements DocumentTransaction {
  /** The documents to write, by place; each of them replaces what is stored at its place. */
  readonly puts = new Map<string, PostgresDocument>();
  /** The stored documents to delete, whatever is written. */
  readonly deleted = new Set<DocumentId>();
  /** The stored documents to touch. */
  readonly touches = new Map<DocumentId, Touch>();
  /** The places of documents that were named, and what is stored there is removed even if they were deleted again. */
  readonly replaced = new Map<string, { readonly sourceId: string; readonly workspacePath: string }>();
  readonly #placeOf = new Map<string, string>();
  readonly #words: WordsWriter;

  constructor(words: WordsWriter) {
    this.#words = words;
  }

  putDocument(document: DocumentWrite | PreparedDocument): void {
    const put =
      'prepared' in document ? (document.prepared as PostgresDocument) : postgresDocument(document, this.#words);
    const { source_id: sourceId, workspace_path: workspacePath, doc_id: docId } = put.rows.document;
    const place = JSON.stringify([sourceId, workspacePath]);
    this.puts.delete(place);
    this.puts.set(place, put);
    this.replaced.set(place, { sourceId, workspacePath });
    this.#placeOf.set(docId, place);
  }

  deleteDocument(id: DocumentId): void {
    const pending = this.#putOf(id);
    if (pending !== null) this.puts.delete(pending.place);
    this.deleted.add(id);
    this.touches.delete(id);
  }

  touchDocument(id: DocumentId, indexedAt: Date, file: FileStat | null): void {
    this.#touch(id, { indexedAt: indexedAt.toISOString(), file });
  }

  touchDocuments(ids: readonly DocumentId[], indexedAt: Date): void {
    for (const id of ids) this.#touch(id, { indexedAt: indexedAt.toISOString() });
  }

  #putOf(id: DocumentId): { readonly place: string; readonly put: PostgresDocument } | null {
    const place = this.#placeOf.get(id);
    const put = place === undefined ? undefined : this.puts.get(place);
    return place === undefined || put?.rows.document.doc_id !== id ? null : { place, put };
  }

  #touch(id: DocumentId, touch: Touch): void {
    const pending = this.#putOf(id);
    if (pending === null) {
      this.touches.set(id, { ...this.touches.get(id), ...touch });
      return;
    }
    const { place, put } = pending;
    const file =
      touch.file === undefined
        ? {}
        : { file_size: touch.file?.size ?? null, file_mtime_ns: touch.file?.mtimeNs ?? null };
    const document = { ...put.rows.document, indexed_at: touch.indexedAt, ...file };
    this.puts.set(place, { ...put, rows: { ...put.rows, document } });
  }
}
