import type { DocumentId } from '@kebab/core';
import type { IndexText } from '@kebab/core/store';
import { columnsOf, statement, statementsOn, type Placeholder } from '@kebab/sqlite-kit';
import { segmentsOf, type PreparedChunk, type PreparedRows, type Row, type TextSegment } from '@kebab/store-kit';
import type { Database as Connection } from 'better-sqlite3';
import { build, columnsIn, type NewRow } from '../database/tables.ts';
import { FullText, type FullTextRow } from './full-text.ts';

/**
 * The size of a segment of text. Rows do not span pages of the file, so that long segments waste space: 5.7 MB of text take 6.1 MB in segments of
 * 1,000 bytes, 6.25 MB in segments of 2,000, 7.1 MB in segments of 8,000. Reading the text of a chunk takes 4 µs with each of them.
 */
export const SEGMENT_BYTES = 1000;

/** A document in the current transaction whose full-text rows are not written, and whose tombstoned vectors are not revived yet. */
interface PendingDocument {
  readonly firstChunk: number;
  readonly index: readonly IndexText[];
}

/** The columns of a chunk besides those of {@link PreparedChunk}. */
interface ChunkPlace {
  readonly seq: number;
  readonly doc_seq: number;
  readonly index_symbol: string | null;
  readonly index_prefix: string | null;
}
type StoredSize = Pick<Row<'documents'>, 'seq' | 'chunk_count'>;

/**
 * Writes the rows of documents inside the caller's transaction. A chunk takes two inserts, its row and its full-text row, which share one
 * row id.
 *
 * Full-text rows are written and deleted in {@link DocumentRows.flush}: FTS5 flushes its buffered postings at each savepoint, and SQLite opens one
 * for every statement that may have to be rolled back by itself. One such statement per document makes an ingest three times as slow.
 */
export class DocumentRows {
  readonly #statements: ReturnType<typeof statementsOf>;
  readonly fullText: FullText;
  readonly #pending = new Map<number, PendingDocument>();
  /** The full-text rows of removed documents. */
  readonly #removed: FullTextRow[] = [];
  #removedChunks = 0;

  constructor(db: Connection) {
    this.#statements = statementsOn(db, statementsOf);
    this.fullText = new FullText(db);
  }

  put(rows: PreparedRows): void {
    const statements = this.#statements;
    statements.putAsset.run(rows.asset);
    const old = statements.findByPath.first(rows.document);
    if (old !== undefined) this.#removeRow(old);
    const firstChunk = (statements.lastChunk.first({})?.seq ?? 0) + 1;
    const inserted = statements.addDocument.run({ ...rows.document, first_chunk: firstChunk });
    const docSeq = Number(inserted.lastInsertRowid);
    for (const { start, text } of segmentsOf(rows.text, SEGMENT_BYTES))
      statements.addText.run({ doc_seq: docSeq, start, text });
    for (const tag of rows.tags) statements.addTag.run({ doc_seq: docSeq, tag });
    if (rows.blocks !== null) statements.addBlocks.run({ doc_seq: docSeq, blocks_json: rows.blocks });
    for (const [i, chunk] of rows.chunks.entries())
      statements.addChunk.run({
        seq: firstChunk + i,
        doc_seq: docSeq,
        // Written out, because V8 takes longer to copy an object and add members than SQLite to insert the row.
        chunk_id: chunk.chunk_id,
        ordinal: chunk.ordinal,
        text_start: chunk.text_start,
        text_end: chunk.text_end,
        first_block: chunk.first_block,
        last_block: chunk.last_block,
        token_estimate: chunk.token_estimate,
        heading_path_json: chunk.heading_path_json,
        section_label: chunk.section_label ?? null,
        source_spans_json: chunk.source_spans_json,
        index_symbol: rows.index[i]?.symbol || null,
        index_prefix: rows.index[i]?.prefix ?? null,
      });
    this.#pending.set(docSeq, { firstChunk, index: rows.index });
  }

  /** Deletes a document with everything that belongs to it; false if there is none. */
  remove(docId: DocumentId): boolean {
    const row = this.#statements.findById.first({ doc_id: docId });
    if (row !== undefined) this.#removeRow(row);
    return row !== undefined;
  }

  /** The number of chunks removed through this object. */
  get removedChunks(): number {
    return this.#removedChunks;
  }

  /** Writes the deferred rows; must be called before the transaction is committed. */
  flush(): void {
    const { anyTombstone, reviveVectors } = this.#statements;
    if (this.#pending.size > 0 && anyTombstone.first({}) !== undefined)
      for (const { firstChunk, index } of this.#pending.values())
        reviveVectors.run({ from: firstChunk, to: firstChunk + index.length });
    for (const row of this.#removed) this.fullText.remove(row);
    let rows = -this.#removed.length;
    for (const { firstChunk, index } of this.#pending.values())
      for (const [i, texts] of index.entries()) {
        this.fullText.add({ rowid: firstChunk + i, texts });
        rows++;
      }
    if (rows !== 0) this.#statements.countRows.run({ rows });
    this.discard();
  }

  /** Drops the deferred rows of a transaction that was rolled back; does nothing after a commit. */
  discard(): void {
    this.#pending.clear();
    this.#removed.length = 0;
  }

  #removeRow({ seq, chunk_count }: StoredSize): void {
    if (!this.#pending.delete(seq)) this.#removed.push(...this.fullText.rowsOf(seq));
    this.#statements.removeDocument.run({ seq });
    this.#removedChunks += chunk_count;
  }
}

function statementsOf(db: Connection) {
  const sizeOf = build.selectFrom('documents').select(['seq', 'chunk_count']);
  return {
    /** A copy in the asset folder replaces a reference to a file; otherwise the first version of an asset is kept. */
    putAsset: statement(db, (value: Placeholder<NewRow<'assets'>>) =>
      build
        .insertInto('assets')
        .values(columnsOf(value, columnsIn('assets')))
        .onConflict((conflict) =>
          conflict
            .column('asset_id')
            .doUpdateSet((row) => ({
              storage_kind: row.ref('excluded.storage_kind'),
              storage_path: row.ref('excluded.storage_path'),
            }))
            .where('excluded.storage_kind', '=', 'copied')
            .where('assets.storage_kind', '=', 'reference'),
        ),
    ),
    findByPath: statement(db, (value: Placeholder<Pick<PreparedRows['document'], 'source_id' | 'workspace_path'>>) =>
      sizeOf.where('source_id', '=', value('source_id')).where('workspace_path', '=', value('workspace_path')),
    ),
    findById: statement(db, (value: Placeholder<{ readonly doc_id: DocumentId }>) =>
      sizeOf.where('doc_id', '=', value('doc_id')),
    ),
    removeDocument: statement(db, (value: Placeholder<Pick<StoredSize, 'seq'>>) =>
      build.deleteFrom('documents').where('seq', '=', value('seq')),
    ),
    lastChunk: statement(db, () =>
      build.selectFrom('chunks').select(({ fn }) => fn.max<number | null>('seq').as('seq')),
    ),
    addDocument: statement(db, (value: Placeholder<PreparedRows['document'] & { readonly first_chunk: number }>) =>
      build.insertInto('documents').values(columnsOf(value, columnsIn('documents', 'seq'))),
    ),
    addText: statement(db, (value: Placeholder<TextSegment & { readonly doc_seq: number }>) =>
      build.insertInto('document_texts').values(columnsOf(value, columnsIn('document_texts'))),
    ),
    addTag: statement(db, (value: Placeholder<NewRow<'document_tags'>>) =>
      build
        .insertInto('document_tags')
        .values(columnsOf(value, columnsIn('document_tags')))
        .onConflict((conflict) => conflict.doNothing()),
    ),
    addBlocks: statement(db, (value: Placeholder<{ readonly doc_seq: number; readonly blocks_json: string }>) =>
      build.insertInto('document_blocks').values(columnsOf(value, columnsIn('document_blocks'))),
    ),
    addChunk: statement(db, (value: Placeholder<PreparedChunk & ChunkPlace>) =>
      build.insertInto('chunks').values(({ fn }) => ({
        ...columnsOf(value, columnsIn('chunks', 'chunk_key', 'chunk_id')),
        chunk_key: fn<Uint8Array>('unhex', [value('chunk_id')]),
      })),
    ),
    /** FTS5 keeps this number to itself, and counting would scan an index in each process. */
    countRows: statement(db, (value: Placeholder<{ readonly rows: number }>) =>
      build
        .updateTable('kv')
        .set((eb) => ({
          value: eb.cast<string>(eb(eb.cast<number>('value', 'integer'), '+', value('rows')), 'text'),
        }))
        .where('key', '=', 'full_text_rows'),
    ),
    anyTombstone: statement(db, () =>
      // Without `unlikely`, the statistics of a large collection would make the planner scan all of it.
      build
        .selectFrom('embedding_records')
        .select('chunk_id')
        .where(({ eb, fn }) => fn<boolean>('unlikely', [eb('status', '=', 'tombstone')]))
        .limit(1),
    ),
    reviveVectors: statement(db, (value: Placeholder<{ readonly from: number; readonly to: number }>) =>
      build
        .updateTable('embedding_records')
        .set({ status: 'pending', committed_at: null })
        .where('status', '=', 'tombstone')
        .where('chunk_id', 'in', (chunks) =>
          chunks
            .selectFrom('chunks')
            .select('chunk_id')
            .where('seq', '>=', value('from'))
            .where('seq', '<', value('to')),
        ),
    ),
  };
}
