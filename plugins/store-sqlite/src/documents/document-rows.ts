import type { DocumentId } from '@kebab/core';
import type { IndexText } from '@kebab/core/store';
import type { Database as Connection } from 'better-sqlite3';
import { sql } from 'kysely';
import { build, columnsOf, prepared, preparedOnce, type Given, type NewRow } from '../database/built-statement.ts';
import type { Row } from '../database/tables.ts';
import { FullText, type FullTextRow } from './full-text.ts';
import type { PreparedChunk, PreparedRows } from './prepare-document.ts';
import { segmentsOf, type TextSegment } from './text-segments.ts';

/** A document in the current transaction whose full-text rows are not written, and whose tombstoned vectors are not revived yet. */
interface PendingDocument {
  readonly firstChunk: number;
  readonly index: readonly IndexText[];
}

/** The columns of a chunk besides those of {@link PreparedChunk}. */
type ChunkPlace = Pick<NewRow<'chunks'>, 'doc_seq' | 'index_symbol' | 'index_prefix'> & { readonly seq: number };
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
    this.#statements = preparedOnce(db, statementsOf);
    this.fullText = new FullText(db);
  }

  put(rows: PreparedRows): void {
    const statements = this.#statements;
    statements.putAsset.run(rows.asset);
    const old = statements.findByPath.first(rows.document);
    if (old !== undefined) this.#removeRow(old);
    const firstChunk = (statements.lastChunk.first({})?.seq ?? 0) + 1;
    const inserted = statements.addDocument.run(rows.document, { first_chunk: firstChunk });
    const docSeq = Number(inserted.lastInsertRowid);
    for (const { start, text } of segmentsOf(rows.text)) statements.addText.run({ doc_seq: docSeq, start, text });
    for (const tag of rows.tags) statements.addTag.run({ doc_seq: docSeq, tag });
    if (rows.blocks !== null) statements.addBlocks.run({ doc_seq: docSeq, blocks_json: rows.blocks });
    for (const [i, chunk] of rows.chunks.entries())
      statements.addChunk.run(chunk, {
        seq: firstChunk + i,
        doc_seq: docSeq,
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
    putAsset: prepared(db, (given: Given<NewRow<'assets'>>) =>
      build
        .insertInto('assets')
        .values(columnsOf(given, ASSET_COLUMNS))
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
    findByPath: prepared(db, (given: Given<Pick<PreparedRows['document'], 'source_id' | 'workspace_path'>>) =>
      sizeOf.where('source_id', '=', given('source_id')).where('workspace_path', '=', given('workspace_path')),
    ),
    findById: prepared(db, (given: Given<{ readonly doc_id: DocumentId }>) =>
      sizeOf.where('doc_id', '=', given('doc_id')),
    ),
    removeDocument: prepared(db, (given: Given<Pick<StoredSize, 'seq'>>) =>
      build.deleteFrom('documents').where('seq', '=', given('seq')),
    ),
    lastChunk: prepared(db, () =>
      build.selectFrom('chunks').select(({ fn }) => fn.max<number | null>('seq').as('seq')),
    ),
    addDocument: prepared(db, (given: Given<PreparedRows['document']>, more: Given<{ readonly first_chunk: number }>) =>
      build.insertInto('documents').values({ ...columnsOf(given, DOCUMENT_COLUMNS), first_chunk: more('first_chunk') }),
    ),
    addText: prepared(db, (given: Given<TextSegment & { readonly doc_seq: number }>) =>
      build.insertInto('document_texts').values(columnsOf(given, ['doc_seq', 'start', 'text'])),
    ),
    addTag: prepared(db, (given: Given<NewRow<'document_tags'>>) =>
      build
        .insertInto('document_tags')
        .values(columnsOf(given, ['doc_seq', 'tag']))
        .onConflict((conflict) => conflict.doNothing()),
    ),
    addBlocks: prepared(db, (given: Given<{ readonly doc_seq: number; readonly blocks_json: string }>) =>
      build.insertInto('document_blocks').values(columnsOf(given, ['doc_seq', 'blocks_json'])),
    ),
    addChunk: prepared(db, (given: Given<PreparedChunk>, more: Given<ChunkPlace>) =>
      build.insertInto('chunks').values({
        ...columnsOf(given, CHUNK_COLUMNS),
        ...columnsOf(more, ['seq', 'doc_seq', 'index_symbol', 'index_prefix']),
        chunk_key: sql<Uint8Array>`unhex(${given('chunk_id')})`,
      }),
    ),
    /** FTS5 keeps this number to itself, and counting would scan an index in each process. */
    countRows: prepared(db, (given: Given<{ readonly rows: number }>) =>
      build
        .updateTable('kv')
        .set({ value: sql<string>`CAST(CAST(value AS INTEGER) + ${given('rows')} AS TEXT)` })
        .where('key', '=', 'full_text_rows'),
    ),
    anyTombstone: prepared(db, () =>
      // Without `unlikely`, the statistics of a large collection would make the planner scan all of it.
      build
        .selectFrom('embedding_records')
        .select('chunk_id')
        .where(sql<boolean>`unlikely(status = 'tombstone')`)
        .limit(1),
    ),
    reviveVectors: prepared(db, (given: Given<{ readonly from: number; readonly to: number }>) =>
      build
        .updateTable('embedding_records')
        .set({ status: 'pending', committed_at: null })
        .where('status', '=', 'tombstone')
        .where('chunk_id', 'in', (chunks) =>
          chunks
            .selectFrom('chunks')
            .select('chunk_id')
            .where('seq', '>=', given('from'))
            .where('seq', '<', given('to')),
        ),
    ),
  };
}

const ASSET_COLUMNS = [
  'asset_id',
  'source_uri',
  'workspace_path',
  'media_type',
  'byte_len',
  'checksum',
  'storage_kind',
  'storage_path',
  'discovered_at',
] as const;

const DOCUMENT_COLUMNS = [
  'doc_id',
  'source_id',
  'workspace_path',
  'media',
  'media_subtype',
  'lang',
  'source_type',
  'trust_level',
  'repo',
  'code_lang',
  'committed_at',
  'indexed_at',
  'created_at',
  'updated_at',
  'asset_id',
  'title',
  'text_length',
  'chunk_count',
  'doc_version',
  'schema_version',
  'file_size',
  'file_mtime_ns',
  'parser_version',
  'chunker_version',
  'policy_hash',
  'parser_fingerprint',
  'chunker_fingerprint',
  'embedding_fingerprint',
  'fallback_chunker',
  'unread_json',
  'has_secrets',
  'pages_json',
  'metadata_json',
  'provenance_json',
] as const;

const CHUNK_COLUMNS = [
  'ordinal',
  'text_start',
  'text_end',
  'first_block',
  'last_block',
  'token_estimate',
  'heading_path_json',
  'section_label',
  'source_spans_json',
] as const;
