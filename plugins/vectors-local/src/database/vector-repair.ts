import type { ChunkId, Damage, DocumentId, EmbeddingId, VectorRecord } from '@kebab/core';
import { statement } from '@kebab/sqlite-kit';
import type { Database as Connection } from 'better-sqlite3';
import { ROW_ID_BYTES, SEGMENT_ROWS, segmentRange, slotRange, strideOf } from '../segment-layout.ts';
import { floatsOf } from './blobs.ts';
import type { CollectionRow } from './collections.ts';
import { build } from './vector-schema.ts';
import { completeTables, missingTables, readVectorSchema } from './vector-schema.ts';
import { VectorWriter, writerStatements } from './vector-writer.ts';

type NamedCollection = CollectionRow & { readonly name: string };

/** Finds missing and malformed parts in the tables of the vectors; empty for a file that never had any. */
export function findVectorDamage(db: Connection): readonly Damage[] {
  const missing = missingTables(db);
  if (missing === null) return [];
  if (missing.length > 0) return missing.map((table) => ({ table, problem: 'the table is missing' }));
  if (readVectorSchema(db) === null) return [{ table: 'vector_meta', problem: 'the version of the tables is missing' }];
  const damage = collectionsIn(db).flatMap((row) => damageOf(db, row));
  return isNextNumberFree(db)
    ? damage
    : [...damage, { table: 'vector_meta', problem: 'the number of the next collection is lost' }];
}

/** Whether the number of the next collection is stored, and not in use. */
function isNextNumberFree(db: Connection): boolean {
  const next = statement(db, () =>
    build.selectFrom('vector_meta').select('value').where('key', '=', 'next_collection'),
  ).first({});
  return next !== undefined && next.value > lastNumber(db);
}

function lastNumber(db: Connection): number {
  const last = statement(db, () =>
    build.selectFrom('vector_collections').select('collection').orderBy('collection', 'desc').limit(1),
  );
  return last.first({})?.collection ?? 0;
}

function collectionsIn(db: Connection): readonly NamedCollection[] {
  return statement(db, () =>
    build
      .selectFrom('vector_collections')
      .select(['collection', 'name', 'dimensions', 'version', 'vectors'])
      .where('name', 'is not', null)
      .$narrowType<{ name: string }>(),
  ).all({});
}

function damageOf(db: Connection, row: NamedCollection): readonly Damage[] {
  const { vectors, name } = row;
  const { held, malformed, uncoded } = countSegments(db, row);
  const { rows, places } = countVectors(db, row);
  const found: Damage[] = [];
  const note = (table: string, problem: string): void => void found.push({ table, problem: `${name}: ${problem}` });
  if (held !== vectors) note('vector_segments', `there are ${held} vectors where ${vectors} were written`);
  if (malformed > 0) note('vector_segments', `${malformed} segments are malformed`);
  if (uncoded > 0) note('vector_codes', `the codes of ${uncoded} segments are missing or malformed`);
  if (rows !== vectors) note('vector_rows', `there are ${rows} vectors where ${vectors} were written`);
  if (places !== vectors) note('vector_slots', `there are ${places} places where ${vectors} vectors were written`);
  return found;
}

/** The vectors that the segments of a collection count, and how many segments are malformed or lack their codes. */
function countSegments(
  db: Connection,
  { collection, dimensions }: CollectionRow,
): { readonly held: number; readonly malformed: number; readonly uncoded: number } {
  const { first, end } = segmentRange(collection);
  const counted = statement(db, () =>
    build
      .selectFrom('vector_segments as segment')
      .leftJoin('vector_codes as coded', 'coded.segment', 'segment.segment')
      .where('segment.segment', '>=', first)
      .where('segment.segment', '<', end)
      .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('segment.vectors'), eb.lit(0)).as('held'))
      .select(({ eb, fn }) =>
        fn
          .countAll<number>()
          .filterWhere(
            eb.or([
              eb(fn<number>('length', ['segment.live']), '<>', SEGMENT_ROWS),
              eb(fn<number>('length', ['segment.scales']), '<>', SEGMENT_ROWS * 4),
              eb(fn<number>('length', ['segment.ids']), '<>', SEGMENT_ROWS * ROW_ID_BYTES),
            ]),
          )
          .as('malformed'),
      )
      .select(({ eb, fn }) =>
        fn
          .countAll<number>()
          .filterWhere(
            eb(fn<number | null>('length', ['coded.codes']), 'is distinct from', SEGMENT_ROWS * strideOf(dimensions)),
          )
          .as('uncoded'),
      ),
  ).first({});
  return counted ?? { held: 0, malformed: 0, uncoded: 0 };
}

/** How many sound vectors a collection has, and how many are listed by id. */
function countVectors(
  db: Connection,
  { collection, dimensions }: CollectionRow,
): { readonly rows: number; readonly places: number } {
  const { first, end } = slotRange(collection);
  const rows = statement(db, () =>
    build
      .selectFrom('vector_rows')
      .select(({ fn }) => fn.countAll<number>().as('rows'))
      .where('slot', '>=', first)
      .where('slot', '<', end)
      .where(({ eb, fn }) => eb(fn<number>('length', ['vector']), '=', dimensions * 4)),
  ).first({});
  const places = statement(db, () =>
    build
      .selectFrom('vector_slots')
      .select(({ fn }) => fn.countAll<number>().as('places'))
      .where('collection', '=', collection),
  ).first({});
  return { rows: rows?.rows ?? 0, places: places?.places ?? 0 };
}

/**
 * Rebuilds damaged collections from their vectors in full precision. Lost vectors are skipped: the documents' ledger records them, and the
 * next ingest recreates them. To be called in a transaction.
 */
export function repairVectors(db: Connection, file: string): void {
  completeTables(db);
  if (!isNextNumberFree(db))
    statement(db, () =>
      build
        .updateTable('vector_meta')
        .set({ value: lastNumber(db) + 1 })
        .where('key', '=', 'next_collection'),
    ).run({});
  for (const row of collectionsIn(db)) if (damageOf(db, row).length > 0) rewrite(db, row, file);
}

function rewrite(db: Connection, row: NamedCollection, file: string): void {
  const { collection } = row;
  const records = soundRecords(db, row);
  const [slots, segments] = [slotRange(collection), segmentRange(collection)];
  const version = row.version + 1;
  for (const change of [
    build.deleteFrom('vector_rows').where('slot', '>=', slots.first).where('slot', '<', slots.end),
    build.deleteFrom('vector_slots').where('collection', '=', collection),
    build.deleteFrom('vector_segments').where('segment', '>=', segments.first).where('segment', '<', segments.end),
    build.deleteFrom('vector_codes').where('segment', '>=', segments.first).where('segment', '<', segments.end),
    build.updateTable('vector_collections').set({ vectors: 0, version }).where('collection', '=', collection),
  ])
    statement(db, () => change).run({});
  const writer = new VectorWriter(writerStatements(db), { ...row, vectors: 0, version }, file);
  for (const record of records) writer.put(record);
  writer.finish();
}

/** The vectors of a collection that have the right length, the last one of each id. */
function soundRecords(db: Connection, { collection, dimensions }: CollectionRow): Iterable<VectorRecord> {
  const { first, end } = slotRange(collection);
  const stored = statement(db, () =>
    build
      .selectFrom('vector_rows')
      .select(['embedding_id', 'chunk_id', 'doc_id', 'vector'])
      .where('slot', '>=', first)
      .where('slot', '<', end)
      .orderBy('slot'),
  ).all({});
  const records = new Map<string, VectorRecord>();
  for (const { embedding_id: id, chunk_id: chunk, doc_id: document, vector } of stored) {
    if (vector.length !== dimensions * 4) continue;
    const embeddingId = id.toString('hex') as EmbeddingId;
    records.set(embeddingId, {
      embeddingId,
      chunkId: chunk.toString('hex') as ChunkId,
      docId: document.toString('hex') as DocumentId,
      vector: floatsOf(vector).slice(),
    });
  }
  return records.values();
}
