import type { ChunkId, DocumentId, EmbeddingId, VectorRecord } from '@kebab/core';
import { statement, type Placeholder } from '@kebab/sqlite-kit';
import type { Database as Connection } from 'better-sqlite3';
import { slotKey, slotRange } from '../segment-layout.ts';
import { damaged } from '../vector-failure.ts';
import { build } from './vector-schema.ts';
import { floatsOf } from './blobs.ts';
import type { CollectionRow } from './collections.ts';

/** A row of `vector_rows`. */
interface StoredVector {
  readonly slot: number;
  readonly embedding_id: Buffer;
  readonly chunk_id: Buffer;
  readonly doc_id: Buffer;
  readonly vector: Buffer;
}

const PAGE_ROWS = 256;
const PAGE_IDS = 1024;

/** Reads vectors in full precision, with their ids. */
export class RowReader {
  readonly #file: string;
  readonly #statements: ReturnType<typeof rowStatements>;

  constructor(db: Connection, file: string) {
    this.#file = file;
    this.#statements = rowStatements(db);
  }

  /** The record at a used slot. */
  record(of: CollectionRow, slot: number): VectorRecord {
    const row = this.#statements.one.first({ slot: slotKey(of.collection, slot) });
    if (row === undefined)
      throw damaged(this.#file, { table: 'vector_rows', cause: `the vector at ${slot} is missing` });
    return this.#recordOf(of, row);
  }

  /** The next records after a slot, and the last slot among them. */
  page(of: CollectionRow, after: number): { readonly records: readonly VectorRecord[]; readonly last: number } {
    const { first, end } = slotRange(of.collection);
    const rows = this.#statements.page.all({ after: first + after, end });
    return { records: rows.map((row) => this.#recordOf(of, row)), last: (rows.at(-1)?.slot ?? Infinity) - first };
  }

  /** The next ids after an id, ascending; the first ones after ''. */
  ids({ collection }: CollectionRow, after: string): readonly EmbeddingId[] {
    const rows = this.#statements.ids.all({ collection, after: Buffer.from(after, 'hex') });
    return rows.map(({ embedding_id: id }) => id.toString('hex') as EmbeddingId);
  }

  #recordOf({ dimensions }: CollectionRow, row: StoredVector): VectorRecord {
    const vector = floatsOf(row.vector);
    if (vector.length !== dimensions)
      throw damaged(this.#file, { table: 'vector_rows', cause: 'a vector is malformed' });
    return {
      embeddingId: row.embedding_id.toString('hex') as EmbeddingId,
      chunkId: row.chunk_id.toString('hex') as ChunkId,
      docId: row.doc_id.toString('hex') as DocumentId,
      vector,
    };
  }
}

function rowStatements(db: Connection) {
  const rows = build.selectFrom('vector_rows').select(['slot', 'embedding_id', 'chunk_id', 'doc_id', 'vector']);
  return {
    one: statement(db, (value: Placeholder<{ readonly slot: number }>) => rows.where('slot', '=', value('slot'))),
    page: statement(db, (value: Placeholder<{ readonly after: number; readonly end: number }>) =>
      rows.where('slot', '>', value('after')).where('slot', '<', value('end')).orderBy('slot').limit(PAGE_ROWS),
    ),
    ids: statement(db, (value: Placeholder<{ readonly collection: number; readonly after: Buffer }>) =>
      build
        .selectFrom('vector_slots')
        .select('embedding_id')
        .where('collection', '=', value('collection'))
        .where('embedding_id', '>', value('after'))
        .orderBy('embedding_id')
        .limit(PAGE_IDS),
    ),
  };
}
