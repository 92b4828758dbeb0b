import type { Database as Connection, Statement } from 'better-sqlite3';
import { unreachable } from '../vector-failure.ts';
import { SEGMENT_ROWS, segmentKey, slotKey } from '../segment-layout.ts';
import { SignTable } from './sign-table.ts';
import { readVectorSchema } from './vector-schema.ts';

/** A stored collection. */
export interface CollectionRow {
  /** Its number; a collection that was dropped and recreated has a different one. */
  readonly collection: number;
  readonly dimensions: number;
  /** How many transactions have changed it. */
  readonly version: number;
  readonly vectors: number;
}

/** Segments removed per transaction: about twenty milliseconds of work. */
const SWEPT_SEGMENTS = 16;

/** The list of collections in a vector file. */
export class Collections {
  readonly #db: Connection;
  readonly #file: string;
  #find: Statement | undefined;

  constructor(db: Connection, file: string) {
    this.#db = db;
    this.#file = file;
  }

  /** The collection with this name, or null. A file without tables has none. */
  find(name: string): CollectionRow | null {
    if (this.#find === undefined) {
      if (readVectorSchema(this.#db) === null) return null;
      this.#find = this.#db.prepare(
        'SELECT collection, dimensions, version, vectors FROM vector_collections WHERE name = ?',
      );
    }
    return (this.#find.get(name) as CollectionRow | undefined) ?? null;
  }

  /** The collection with this name. Throws `vector_store_unreachable` if there is none. */
  get(name: string): CollectionRow {
    const found = this.find(name);
    if (found !== null) return found;
    throw unreachable(this.#file, `there is no collection "${name}"`, { hint: 'make the vectors with `kebab ingest`' });
  }

  /** Creates a collection unless it exists. Throws `vector_store_unreachable` if it has different dimensions. */
  ensure(name: string, dimensions: number): void {
    this.#db
      .transaction(() => {
        const found = this.find(name);
        if (found?.dimensions === dimensions) return;
        if (found !== null)
          throw unreachable(
            this.#file,
            `collection "${name}" has ${found.dimensions} dimensions, the embedder ${dimensions}`,
          );
        // Numbers are not reused, so that a reader notices when a collection was dropped and recreated.
        const next = "UPDATE vector_meta SET value = value + 1 WHERE key = 'next_collection' RETURNING value - 1";
        const collection = this.#db.prepare(next).pluck().get();
        this.#db.prepare('INSERT INTO vector_collections VALUES (?, ?, ?, 0, 0)').run(collection, name, dimensions);
      })
      .immediate();
  }

  /** The size of codes, signs and vectors, without page overhead. */
  bytes(): number {
    if (readVectorSchema(this.#db) === null) return 0;
    const sum = (column: string, table: string): number =>
      Number(this.#db.prepare(`SELECT coalesce(sum(length(${column})), 0) FROM ${table}`).pluck().get());
    return (
      sum('codes', 'vector_codes') +
      sum('vector', 'vector_rows') +
      sum('ids', 'vector_segments') +
      new SignTable(this.#db).bytes()
    );
  }

  /** The names of all collections, sorted. */
  names(): readonly string[] {
    if (readVectorSchema(this.#db) === null) return [];
    const names = this.#db.prepare('SELECT name FROM vector_collections WHERE name IS NOT NULL ORDER BY name').pluck();
    return names.all() as readonly string[];
  }

  /** Removes the name of a collection, so that it can no longer be found; {@link sweep} removes its contents. */
  hide(name: string): void {
    this.#db.prepare('UPDATE vector_collections SET name = NULL WHERE name = ?').run(name);
  }

  /** Removes a part of a collection without a name. Returns whether there was something to remove. */
  sweep(): boolean {
    const hidden = this.#db.prepare('SELECT collection FROM vector_collections WHERE name IS NULL LIMIT 1').pluck();
    const collection = hidden.get() as number | undefined;
    if (collection === undefined) return false;
    const [first, end] = [segmentKey(collection, 0), segmentKey(collection + 1, 0)];
    const newest = this.#db
      .prepare('SELECT max(segment) FROM vector_segments WHERE segment >= ? AND segment < ?')
      .pluck();
    const last = newest.get(first, end) as number | null;
    if (last === null) this.#removeFrom(collection, 0);
    else this.#removeFrom(collection, Math.max(0, last - first + 1 - SWEPT_SEGMENTS));
    if (last === null || last - first < SWEPT_SEGMENTS)
      this.#db.prepare('DELETE FROM vector_collections WHERE collection = ?').run(collection);
    return true;
  }

  /** Removes the segments from a number on, or, from 0 on, everything that belongs to the collection. */
  #removeFrom(collection: number, segment: number): void {
    const slots = [slotKey(collection, segment * SEGMENT_ROWS), slotKey(collection + 1, 0)];
    const ids = 'SELECT embedding_id FROM vector_rows WHERE slot >= ? AND slot < ?';
    if (segment === 0) this.#db.prepare('DELETE FROM vector_slots WHERE collection = ?').run(collection);
    else
      this.#db
        .prepare(`DELETE FROM vector_slots WHERE collection = ? AND embedding_id IN (${ids})`)
        .run(collection, ...slots);
    this.#db.prepare('DELETE FROM vector_rows WHERE slot >= ? AND slot < ?').run(slots);
    const segments = [segmentKey(collection, segment), segmentKey(collection + 1, 0)];
    for (const table of ['vector_segments', 'vector_codes'])
      this.#db.prepare(`DELETE FROM ${table} WHERE segment >= ? AND segment < ?`).run(segments);
    new SignTable(this.#db).remove(collection, segment);
  }
}
