import type { DocumentId, IndexText } from '@kebab/core';
import type { Database as Connection, Statement } from 'better-sqlite3';
import type { Row } from '../database/tables.ts';
import { ASSET_COLUMNS, CHUNK_COLUMNS, DOCUMENT_COLUMNS, type PreparedRows } from './prepare-document.ts';
import { segmentsOf } from './text-segments.ts';

/** Full-text rows that are still to be written for one document. */
interface PendingDocument {
  readonly firstChunk: number;
  readonly index: readonly IndexText[];
}

const NOTE_REMOVED = `INSERT INTO kv VALUES ('full_text_rows_still_counted', CAST(@removed AS INTEGER))
  ON CONFLICT (key) DO UPDATE SET value = CAST(CAST(value AS INTEGER) + @removed AS INTEGER)`;

type StoredSize = Pick<Row<'documents'>, 'seq' | 'chunk_count'>;

/**
 * Writes the rows of documents inside the caller's transaction. Its statements are prepared once; a chunk costs two
 * inserts, its row and its full-text row, which share one row id.
 *
 * Full-text rows wait for {@link DocumentRows.flush}: FTS5 writes out what it has gathered whenever another statement may
 * have to be undone by itself, and one such statement a document makes an ingest three times as slow.
 */
export class DocumentRows {
  readonly #asset: Statement;
  readonly #oldVersion: Statement;
  readonly #byId: Statement;
  readonly #remove: Statement;
  readonly #document: Statement;
  readonly #text: Statement;
  readonly #tag: Statement;
  readonly #blocks: Statement;
  readonly #lastChunk: Statement;
  readonly #chunk: Statement;
  readonly #fullText: Statement;
  readonly #anyTombstone: Statement;
  readonly #reviveVectors: Statement;
  readonly #noteRemoved: Statement;
  #removedChunks = 0;
  /** Removed in this transaction. */
  #removed = 0;
  #countsRemovedOut: boolean | undefined;
  readonly #db: Connection;
  readonly #pending = new Map<number, PendingDocument>();

  constructor(db: Connection) {
    this.#db = db;
    this.#asset = db.prepare(
      // A copy of ours takes the place of a reference to somebody's file; everything else stays as first seen.
      `${insertInto('assets', ASSET_COLUMNS)} ON CONFLICT (asset_id) DO UPDATE
       SET storage_kind = excluded.storage_kind, storage_path = excluded.storage_path
       WHERE excluded.storage_kind = 'copied' AND storage_kind = 'reference'`,
    );
    this.#oldVersion = db.prepare('SELECT seq, chunk_count FROM documents WHERE source_id = ? AND workspace_path = ?');
    this.#byId = db.prepare('SELECT seq, chunk_count FROM documents WHERE doc_id = ?');
    this.#remove = db.prepare('DELETE FROM documents WHERE seq = ?');
    this.#document = db.prepare(insertInto('documents', [...DOCUMENT_COLUMNS, 'first_chunk']));
    this.#lastChunk = db.prepare('SELECT max(seq) FROM chunks').pluck();
    this.#text = db.prepare(insertInto('document_texts', ['doc_seq', 'start', 'text']));
    this.#tag = db.prepare(`${insertInto('document_tags', ['doc_seq', 'tag'])} ON CONFLICT DO NOTHING`);
    this.#blocks = db.prepare(insertInto('document_blocks', ['doc_seq', 'blocks_json']));
    this.#chunk = db.prepare(
      `INSERT INTO chunks (seq, doc_seq, ${CHUNK_COLUMNS.join(', ')}) VALUES (?, ?, unhex(?), ${'?, '.repeat(8)}?)`,
    );
    this.#fullText = db.prepare(insertInto('chunks_fts', ['rowid', 'text', 'heading', 'symbol', 'cjk']));
    this.#noteRemoved = db.prepare(NOTE_REMOVED);
    this.#anyTombstone = db.prepare("SELECT 1 FROM embedding_records WHERE status = 'tombstone' LIMIT 1").pluck();
    this.#reviveVectors = db.prepare(
      `UPDATE embedding_records SET status = 'pending', committed_at = NULL
       WHERE status = 'tombstone' AND chunk_id IN (SELECT chunk_id FROM chunks WHERE seq >= ? AND seq < ?)`,
    );
  }

  put(rows: PreparedRows): void {
    this.#asset.run(...rows.asset);
    const old = this.#oldVersion.get(rows.sourceId, rows.workspacePath);
    if (old !== undefined) this.#removeRow(old as StoredSize);
    const firstChunk = Number(this.#lastChunk.get() ?? 0) + 1;
    const { lastInsertRowid: seq } = this.#document.run(...rows.document, firstChunk);
    for (const { start, text } of segmentsOf(rows.text)) this.#text.run(seq, start, text);
    for (const tag of rows.tags) this.#tag.run(seq, tag);
    if (rows.blocks !== null) this.#blocks.run(seq, rows.blocks);
    for (const [i, chunk] of rows.chunks.entries()) this.#chunk.run(firstChunk + i, seq, ...chunk);
    this.#pending.set(Number(seq), { firstChunk, index: rows.index });
    if (this.#anyTombstone.get() !== undefined) this.#reviveVectors.run(firstChunk, firstChunk + rows.chunks.length);
  }

  /** Removes a document with everything that belongs to it; false when there is none. */
  remove(docId: DocumentId): boolean {
    const row = this.#byId.get(docId);
    if (row !== undefined) this.#removeRow(row as StoredSize);
    return row !== undefined;
  }

  /** How many chunks have been removed through this object. */
  get removedChunks(): number {
    return this.#removedChunks;
  }

  /** Writes the full-text rows that wait; to be called before the transaction ends. */
  flush(): void {
    for (const { firstChunk, index } of this.#pending.values())
      for (const [i, { text, heading, symbol, cjk }] of index.entries())
        this.#fullText.run(firstChunk + i, text, heading, symbol, cjk);
    this.#pending.clear();
    this.#settleTotals();
  }

  /** Forgets full-text rows that still wait because their transaction was undone. */
  discard(): void {
    this.#pending.clear();
    this.#removed = 0;
  }

  /** Before SQLite 3.54, FTS5 goes on counting removed rows of a table without content; readers allow for as many as are noted. */
  #settleTotals(): void {
    if (this.#removed === 0) return;
    this.#countsRemovedOut ??= countsRemovedRowsOut(this.#db);
    if (!this.#countsRemovedOut) this.#noteRemoved.run({ removed: this.#removed });
    this.#removed = 0;
  }

  #removeRow({ seq, chunk_count }: StoredSize): void {
    this.#pending.delete(seq);
    this.#remove.run(seq);
    this.#removedChunks += chunk_count;
    this.#removed += chunk_count;
  }
}

function countsRemovedRowsOut(db: Connection): boolean {
  const version = String(db.prepare('SELECT sqlite_version()').pluck().get());
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 3 || (major === 3 && minor >= 54);
}

function insertInto(table: string, columns: readonly string[]): string {
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
}
