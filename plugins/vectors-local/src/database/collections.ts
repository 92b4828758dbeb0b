import { statement, type BuiltStatement, type Placeholder } from '@kebab/sqlite-kit';
import type { Database as Connection } from 'better-sqlite3';
import { unreachable } from '../vector-failure.ts';
import { build } from './vector-schema.ts';
import { SEGMENT_ROWS, segmentRange, slotRange, type KeyRange } from '../segment-layout.ts';
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
  readonly #statements: ReturnType<typeof collectionStatements>;
  #hasTables = false;

  constructor(db: Connection, file: string) {
    this.#db = db;
    this.#file = file;
    this.#statements = collectionStatements(db);
  }

  /** The collection with this name, or null. A file without tables has none. */
  find(name: string): CollectionRow | null {
    this.#hasTables ||= readVectorSchema(this.#db) !== null;
    return this.#hasTables ? (this.#statements.find.first({ name }) ?? null) : null;
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
        const next = this.#statements.countNext.first({});
        if (next === undefined) throw unreachable(this.#file, 'the number of the next collection is lost');
        this.#statements.add.run({ collection: next.value - 1, name, dimensions });
      })
      .immediate();
  }

  /** The size of codes, vectors and ids, without page overhead. */
  bytes(): number {
    if (readVectorSchema(this.#db) === null) return 0;
    return this.#statements.bytes.all({}).reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** The names of all collections, sorted. */
  names(): readonly string[] {
    if (readVectorSchema(this.#db) === null) return [];
    return this.#statements.names.all({}).map(({ name }) => name);
  }

  /** Removes the name of a collection, so that it can no longer be found; {@link sweep} removes its contents. */
  hide(name: string): void {
    this.#statements.hide.run({ name });
  }

  /** Removes a part of a collection without a name. Returns whether there was something to remove. */
  sweep(): boolean {
    const collection = this.#statements.hidden.first({})?.collection;
    if (collection === undefined) return false;
    const range = segmentRange(collection);
    const last = this.#statements.lastSegment.first(range)?.segment;
    const segments = last === undefined ? 0 : last - range.first + 1;
    this.#removeFrom(collection, Math.max(0, segments - SWEPT_SEGMENTS));
    if (segments <= SWEPT_SEGMENTS) this.#statements.remove.run({ collection });
    return true;
  }

  /** Removes the segments from a number on, or, from 0 on, everything that belongs to the collection. */
  #removeFrom(collection: number, segment: number): void {
    const slots = slotRange(collection, segment * SEGMENT_ROWS);
    if (segment === 0) this.#statements.removeSlots.run({ collection });
    else this.#statements.removeSlotsOfRows.run({ collection, ...slots });
    this.#statements.removeRows.run(slots);
    const segments = segmentRange(collection, segment);
    this.#statements.removeSegments.run(segments);
    this.#statements.removeCodes.run(segments);
  }
}

type Named = Placeholder<{ readonly name: string }>;
type Numbered = Placeholder<{ readonly collection: number }>;
type Ranged = Placeholder<KeyRange>;

function collectionStatements(db: Connection) {
  return {
    find: statement(db, (value: Named) =>
      build
        .selectFrom('vector_collections')
        .select(['collection', 'dimensions', 'version', 'vectors'])
        .where('name', '=', value('name')),
    ),
    names: statement(db, () =>
      build
        .selectFrom('vector_collections')
        .select('name')
        .where('name', 'is not', null)
        .orderBy('name')
        .$narrowType<{ name: string }>(),
    ),
    bytes: statement(db, () =>
      build
        .selectFrom('vector_codes')
        .select((eb) => eb.fn.coalesce(eb.fn.sum<number>(eb.fn('length', ['codes'])), eb.lit(0)).as('bytes'))
        .unionAll(
          build
            .selectFrom('vector_rows')
            .select((eb) => eb.fn.coalesce(eb.fn.sum<number>(eb.fn('length', ['vector'])), eb.lit(0)).as('bytes')),
        )
        .unionAll(
          build
            .selectFrom('vector_segments')
            .select((eb) => eb.fn.coalesce(eb.fn.sum<number>(eb.fn('length', ['ids'])), eb.lit(0)).as('bytes')),
        ),
    ),
    countNext: statement(db, () =>
      build
        .updateTable('vector_meta')
        .set((meta) => ({ value: meta('value', '+', 1) }))
        .where('key', '=', 'next_collection')
        .returning('value'),
    ),
    add: statement(
      db,
      (value: Placeholder<{ readonly collection: number; readonly name: string; readonly dimensions: number }>) =>
        build.insertInto('vector_collections').values({
          collection: value('collection'),
          name: value('name'),
          dimensions: value('dimensions'),
          version: 0,
          vectors: 0,
        }),
    ),
    hide: statement(db, (value: Named) =>
      build.updateTable('vector_collections').set({ name: null }).where('name', '=', value('name')),
    ),
    hidden: statement(db, () =>
      build.selectFrom('vector_collections').select('collection').where('name', 'is', null).limit(1),
    ),
    remove: statement(db, (value: Numbered) =>
      build.deleteFrom('vector_collections').where('collection', '=', value('collection')),
    ),
    lastSegment: lastSegment(db),
    removeSlots: statement(db, (value: Numbered) =>
      build.deleteFrom('vector_slots').where('collection', '=', value('collection')),
    ),
    removeSlotsOfRows: statement(db, (value: Placeholder<KeyRange & { readonly collection: number }>) =>
      build
        .deleteFrom('vector_slots')
        .where('collection', '=', value('collection'))
        .where(
          'embedding_id',
          'in',
          build
            .selectFrom('vector_rows')
            .select('embedding_id')
            .where('slot', '>=', value('first'))
            .where('slot', '<', value('end')),
        ),
    ),
    removeRows: statement(db, (value: Ranged) =>
      build.deleteFrom('vector_rows').where('slot', '>=', value('first')).where('slot', '<', value('end')),
    ),
    removeSegments: statement(db, (value: Ranged) =>
      build.deleteFrom('vector_segments').where('segment', '>=', value('first')).where('segment', '<', value('end')),
    ),
    removeCodes: statement(db, (value: Ranged) =>
      build.deleteFrom('vector_codes').where('segment', '>=', value('first')).where('segment', '<', value('end')),
    ),
  };
}

/** Declares the statement that finds the last segment of a collection. */
export function lastSegment(db: Connection): BuiltStatement<KeyRange, { readonly segment: number }> {
  return statement(db, (value: Ranged) =>
    build
      .selectFrom('vector_segments')
      .select('segment')
      .where('segment', '>=', value('first'))
      .where('segment', '<', value('end'))
      .orderBy('segment', 'desc')
      .limit(1),
  );
}
