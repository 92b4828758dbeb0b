import type { Block, CanonicalDocument, ChunkId, DocumentId } from '@kebab/core';
import type { Chunk, ChunkWithDocument, PartlyRead, Passage } from '@kebab/core/store';
import { inList, itemsOf, sqlBuilder, statement, statementsOn, type Placeholder } from '@kebab/sqlite-kit';
import {
  CHUNK_COLUMNS,
  PASSAGE_COLUMNS,
  WHOLE_DOCUMENT_COLUMNS,
  chunkParents,
  decodeBlocks,
  parentOf,
  partlyReadIn,
  toCanonicalDocument,
  toChunk,
  toChunksWithDocuments,
  toPartlyRead,
  toPassages,
  type ChunkParent,
  type Tables,
} from '@kebab/store-kit';
import type { Database as Connection } from 'better-sqlite3';
import type { Expression } from 'kysely';
import { build } from '../database/tables.ts';
import { STORED_DOCUMENTS } from './store-statements.ts';

/** The segment that contains `start`, and the following ones that begin before `end`. */
function segmentsBetween(db: Connection) {
  return statement(
    db,
    (value: Placeholder<{ readonly doc_seq: number; readonly start: number; readonly end: number }>) =>
      build
        .selectFrom('document_texts')
        .select(['start', 'text'])
        .where('doc_seq', '=', value('doc_seq'))
        .where('start', '>=', (eb) =>
          eb.fn.coalesce(
            eb
              .selectFrom('document_texts')
              .select(({ fn }) => fn.max<number>('start').as('start'))
              .where('doc_seq', '=', value('doc_seq'))
              .where('start', '<=', value('start')),
            eb.val(0),
          ),
        )
        .where('start', '<', value('end'))
        .orderBy('start'),
  );
}

/** The slice `[start, end)` of a document's text. */
export function readText(db: Connection, docSeq: number, start: number, end: number): string {
  const segments = statementsOn(db, segmentsBetween).all({ doc_seq: docSeq, start, end });
  const from = segments[0]?.start ?? start;
  const stretch = segments.map(({ text }) => text).join('');
  return stretch.slice(Math.max(0, start - from), Math.max(0, end - from));
}

/**
 * The chunks `c` of a JSON list `j` of keys, each with the segments that contain its text; the caller says which column the keys are of. Not
 * sorted, because SQLite would copy all texts to sort them.
 */
export function chunksWithText<Key = string>(keys: Expression<string>) {
  return build
    .selectFrom(itemsOf<Key>(keys))
    .crossJoin('chunks as c')
    .leftJoin('document_texts as t', (join) =>
      join
        .onRef('t.doc_seq', '=', 'c.doc_seq')
        .onRef('t.start', '<', 'c.text_end')
        .on('t.start', '>=', (eb) =>
          eb.fn.coalesce(
            eb
              .selectFrom('document_texts as before')
              .select(({ fn }) => fn.max<number>('before.start').as('start'))
              .whereRef('before.doc_seq', '=', 'c.doc_seq')
              .whereRef('before.start', '<=', 'c.text_start'),
            eb.val(0),
          ),
        ),
    )
    .select(['j.key as place', 'c.text_start', 'c.text_end', 't.start as segment_start', 't.text as segment']);
}

/** Reads documents and chunks of one snapshot of the database. */
export class DocumentReader {
  readonly #db: Connection;
  readonly #statements: ReturnType<typeof statementsOf>;

  constructor(db: Connection) {
    this.#db = db;
    this.#statements = statementsOn(db, statementsOf);
  }

  /** One chunk for each id, except ids that are gone, in one query. */
  chunksWithDocuments(ids: readonly ChunkId[]): readonly ChunkWithDocument[] {
    const rows = this.#statements.stretches.all({ ids: JSON.stringify(ids) });
    return toChunksWithDocuments(rows, this.#parents(rows.map(({ doc_seq }) => doc_seq)));
  }

  /** One passage for each id, except ids that are gone. Read in one query, because a query costs more than what it would read. */
  passages(ids: readonly ChunkId[]): readonly Passage[] {
    return toPassages(ids, this.#statements.passages.all({ ids: JSON.stringify(ids) }));
  }

  /** The chunks of a document with ordinals `[from, to)`, in order. */
  chunks(docId: DocumentId, from: number, to: number): readonly Chunk[] {
    const range = this.#statements.range.first({ doc_id: docId });
    if (range === undefined) return [];
    const { seq, first_chunk, chunk_count } = range;
    const found = this.#statements.chunks.all({
      from: first_chunk + Math.max(0, from),
      to: first_chunk + Math.min(chunk_count, to),
    });
    const [first] = found;
    if (first === undefined) return [];
    const parent = parentOf(seq, this.#parents([seq]));
    const end = found.reduce((latest, row) => Math.max(latest, row.text_end), 0);
    const text = readText(this.#db, seq, first.text_start, end);
    return found.map((row) =>
      toChunk(row, text.slice(row.text_start - first.text_start, row.text_end - first.text_start), parent),
    );
  }

  blocks(seq: number, docId: DocumentId): readonly Block[] {
    const stored = this.#statements.blocks.first({ seqs: JSON.stringify([seq]) });
    return stored === undefined ? [] : decodeBlocks(docId, stored.blocks_json);
  }

  /** A complete document, equal to the one that was written; null if there is none. */
  canonicalDocument(docId: DocumentId): CanonicalDocument | null {
    const row = this.#statements.whole.first({ doc_id: docId });
    if (row === undefined) return null;
    return toCanonicalDocument(docId, row, {
      text: readText(this.#db, row.seq, 0, row.text_length),
      blocks: this.blocks(row.seq, docId),
    });
  }

  /** By a statement that is prepared once, because each search asks for the documents that it shows. */
  partlyRead(ids: readonly DocumentId[]): readonly PartlyRead[] {
    return toPartlyRead(this.#statements.partlyRead.all({ ids: JSON.stringify(ids) }));
  }

  #parents(all: readonly number[]): ReadonlyMap<number, ChunkParent> {
    const seqs = JSON.stringify([...new Set(all)]);
    const blocks = new Map(
      this.#statements.blocks.all({ seqs }).map(({ doc_seq, blocks_json }) => [doc_seq, blocks_json]),
    );
    return chunkParents(this.#statements.documents.all({ seqs }), blocks);
  }
}

/** The chunks `c` of a JSON list of ids, each with the segments that contain its text. */
function chunksById(ids: Expression<string>) {
  return chunksWithText(ids).where('c.chunk_key', '=', ({ fn }) => fn<Uint8Array>('unhex', ['j.value']));
}

function statementsOf(db: Connection) {
  return {
    stretches: statement(db, (value: Placeholder<{ readonly ids: string }>) =>
      chunksById(value('ids')).select(CHUNK_COLUMNS),
    ),
    passages: statement(db, (value: Placeholder<{ readonly ids: string }>) =>
      chunksById(value('ids')).crossJoin('documents as d').whereRef('d.seq', '=', 'c.doc_seq').select(PASSAGE_COLUMNS),
    ),
    chunks: statement(db, (value: Placeholder<{ readonly from: number; readonly to: number }>) =>
      build
        .selectFrom('chunks as c')
        .select(CHUNK_COLUMNS)
        .where('c.seq', '>=', value('from'))
        .where('c.seq', '<', value('to'))
        .orderBy('c.seq'),
    ),
    range: statement(db, (value: Placeholder<{ readonly doc_id: string }>) =>
      build.selectFrom('documents').select(['seq', 'first_chunk', 'chunk_count']).where('doc_id', '=', value('doc_id')),
    ),
    documents: statement(db, (value: Placeholder<{ readonly seqs: string }>) =>
      STORED_DOCUMENTS.where('d.seq', 'in', inList<number>(value('seqs'))),
    ),
    blocks: statement(db, (value: Placeholder<{ readonly seqs: string }>) =>
      build
        .selectFrom('document_blocks')
        .select(['doc_seq', 'blocks_json'])
        .where('doc_seq', 'in', inList<number>(value('seqs'))),
    ),
    /** Not the modification time: nanoseconds exceed the range of a number, and a canonical document does not need them. */
    whole: statement(db, (value: Placeholder<{ readonly doc_id: string }>) =>
      build.selectFrom('documents').select(WHOLE_DOCUMENT_COLUMNS).where('doc_id', '=', value('doc_id')),
    ),
    partlyRead: statement(db, (value: Placeholder<{ readonly ids: string }>) =>
      partlyReadIn(sqlBuilder<Tables>()).where('doc_id', 'in', inList(value('ids'))),
    ),
  };
}
