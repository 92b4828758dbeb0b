import type { Block, BlockId, Chunk, ChunkId, ChunkWithDocument, DocumentId, DocumentRow, Passage } from '@kebab/core';
import type { Statements } from '../database/statements.ts';
import type { Row } from '../database/tables.ts';
import { SELECT_CHUNKS, toChunk, type ChunkSurroundings, type StoredChunk } from './chunk-row.ts';
import { SELECT_PASSAGES, toPassages, type StoredPassage } from './passage-rows.ts';
import { decodeBlocks } from './blocks-column.ts';
import { SELECT_DOCUMENTS, toDocumentRow, type StoredDocument } from './document-row.ts';
import { readStretch, readText } from './text-segments.ts';

/** A document with what its chunks need of it. */
interface OpenDocument {
  readonly seq: number;
  readonly row: DocumentRow;
  readonly surroundings: ChunkSurroundings;
}

/** Reads documents and chunks. One reader serves one snapshot of the database: what it has read of a document, it keeps. */
export class DocumentReader {
  readonly #statements: Statements;
  readonly #opened = new Map<number, OpenDocument>();

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  chunk(id: ChunkId): ChunkWithDocument | null {
    const row = this.#statements.of(`${SELECT_CHUNKS} WHERE c.chunk_key = unhex(?)`).get(id) as StoredChunk | undefined;
    if (row === undefined) return null;
    const document = this.#open(row.doc_seq);
    const around = readStretch(this.#statements, row.doc_seq, row.text_start, row.text_end);
    const text = around.text.slice(row.text_start - around.start, row.text_end - around.start);
    return { chunk: toChunk(row, text, document.surroundings), document: document.row, around };
  }

  /** Reads them all at once: one question each would cost more than what it reads. */
  passages(ids: readonly ChunkId[]): readonly Passage[] {
    const rows = this.#statements.of(SELECT_PASSAGES).raw().all(JSON.stringify(ids)) as readonly StoredPassage[];
    return toPassages(ids, rows);
  }

  /** The chunks of a document with ordinals `[from, to)`, in order. */
  chunks(docId: DocumentId, from: number, to: number): readonly Chunk[] {
    const range = this.#statements
      .of('SELECT seq, first_chunk, chunk_count FROM documents WHERE doc_id = ?')
      .get(docId);
    if (range === undefined) return [];
    const { seq, first_chunk, chunk_count } = range as Pick<Row<'documents'>, 'seq' | 'first_chunk' | 'chunk_count'>;
    const rows = this.#statements
      .of(`${SELECT_CHUNKS} WHERE c.seq >= ? AND c.seq < ? ORDER BY c.seq`)
      .all(first_chunk + Math.max(0, from), first_chunk + Math.min(chunk_count, to)) as readonly StoredChunk[];
    const [first] = rows;
    if (first === undefined) return [];
    const { surroundings } = this.#open(seq);
    const end = rows.reduce((latest, row) => Math.max(latest, row.text_end), 0);
    const text = this.text(seq, first.text_start, end);
    return rows.map((row) =>
      toChunk(row, text.slice(row.text_start - first.text_start, row.text_end - first.text_start), surroundings),
    );
  }

  /** The slice `[start, end)` of a document's text. */
  text(seq: number, start: number, end: number): string {
    return readText(this.#statements, seq, start, end);
  }

  blocks(seq: number, docId: DocumentId): readonly Block[] {
    const stored = this.#storedBlocks(seq);
    return stored === undefined ? [] : decodeBlocks(docId, stored);
  }

  seqOf(docId: DocumentId): number | undefined {
    return this.#statements.firstColumnOf('SELECT seq FROM documents WHERE doc_id = ?').get(docId) as
      | number
      | undefined;
  }

  #storedBlocks(seq: number): string | undefined {
    const sql = 'SELECT blocks_json FROM document_blocks WHERE doc_seq = ?';
    return this.#statements.firstColumnOf(sql).get(seq) as string | undefined;
  }

  #open(seq: number): OpenDocument {
    let document = this.#opened.get(seq);
    if (document === undefined) {
      const stored = this.#statements.of(`${SELECT_DOCUMENTS} WHERE d.seq = ?`).get(seq) as StoredDocument;
      const docId = stored.doc_id as DocumentId;
      document = {
        seq,
        row: toDocumentRow(stored),
        surroundings: {
          docId,
          title: stored.title,
          chunkerVersion: stored.chunker_version,
          policyHash: stored.policy_hash,
          blockIds: lazyBlockIds(docId, this.#storedBlocks(seq)),
        },
      };
      this.#opened.set(seq, document);
    }
    return document;
  }
}

/** The blocks are read with the rest, so that ids asked for later still belong to the same version of the document. */
function lazyBlockIds(docId: DocumentId, stored: string | undefined): ChunkSurroundings['blockIds'] {
  let ids: readonly BlockId[] | undefined;
  return (first, last) => {
    ids ??= stored === undefined ? [] : decodeBlocks(docId, stored).map((block) => block.blockId);
    return ids.slice(first, last + 1);
  };
}
