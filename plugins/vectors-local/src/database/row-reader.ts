import type { ChunkId, DocumentId, EmbeddingId, VectorRecord } from '@kebab/core';
import type { Database as Connection, Statement } from 'better-sqlite3';
import { slotKey } from '../segment-layout.ts';
import { damaged } from '../vector-failure.ts';
import { floatsOf } from './blobs.ts';
import type { CollectionRow } from './collections.ts';

type Row = readonly [slot: number, embeddingId: Buffer, chunkId: Buffer, docId: Buffer, vector: Buffer];

const PAGE_ROWS = 256;
const COLUMNS = 'SELECT slot, embedding_id, chunk_id, doc_id, vector FROM vector_rows WHERE';

/** Reads vectors in full precision, with their ids. */
export class RowReader {
  readonly #file: string;
  readonly #one: Statement;
  readonly #vector: Statement;
  readonly #page: Statement;
  readonly #ids: Statement;

  constructor(db: Connection, file: string) {
    this.#file = file;
    this.#one = db.prepare(`${COLUMNS} slot = ?`).raw();
    this.#vector = db.prepare('SELECT vector FROM vector_rows WHERE slot = ?').pluck();
    this.#page = db.prepare(`${COLUMNS} slot > ? AND slot < ? ORDER BY slot LIMIT ${PAGE_ROWS}`).raw();
    this.#ids = db
      .prepare(
        'SELECT embedding_id FROM vector_slots WHERE collection = ? AND embedding_id > ? ORDER BY embedding_id LIMIT 1024',
      )
      .pluck();
  }

  /** The record at a used slot. */
  record(of: CollectionRow, slot: number): VectorRecord {
    const row = this.#one.get(slotKey(of.collection, slot)) as Row | undefined;
    if (row === undefined)
      throw damaged(this.#file, { table: 'vector_rows', cause: `the vector at ${slot} is missing` });
    return this.#recordOf(of, row);
  }

  /** The vector at a used slot. */
  vector({ collection, dimensions }: CollectionRow, slot: number): Float32Array {
    const blob = this.#vector.get(slotKey(collection, slot)) as Buffer | undefined;
    if (blob?.length !== dimensions * 4)
      throw damaged(this.#file, { table: 'vector_rows', cause: `the vector at ${slot} is missing or malformed` });
    return floatsOf(blob);
  }

  /** The next records after a slot, and the last slot among them. */
  page(of: CollectionRow, after: number): { readonly records: readonly VectorRecord[]; readonly last: number } {
    const first = slotKey(of.collection, 0);
    const rows = this.#page.all(first + after, slotKey(of.collection + 1, 0)) as readonly Row[];
    return { records: rows.map((row) => this.#recordOf(of, row)), last: (rows.at(-1)?.[0] ?? Infinity) - first };
  }

  /** The next ids after an id, ascending; the first ones after ''. */
  ids({ collection }: CollectionRow, after: string): readonly EmbeddingId[] {
    const ids = this.#ids.all(collection, Buffer.from(after, 'hex')) as readonly Buffer[];
    return ids.map((id) => id.toString('hex') as EmbeddingId);
  }

  #recordOf({ dimensions }: CollectionRow, [, embeddingId, chunkId, docId, blob]: Row): VectorRecord {
    const vector = floatsOf(blob);
    if (vector.length !== dimensions)
      throw damaged(this.#file, { table: 'vector_rows', cause: 'a vector is malformed' });
    return {
      embeddingId: embeddingId.toString('hex') as EmbeddingId,
      chunkId: chunkId.toString('hex') as ChunkId,
      docId: docId.toString('hex') as DocumentId,
      vector,
    };
  }
}
