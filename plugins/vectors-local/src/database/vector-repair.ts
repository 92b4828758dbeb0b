import type { Damage, EmbeddingId, VectorRecord } from '@kebab/core';
import type { Database as Connection } from 'better-sqlite3';
import { SEGMENT_ROWS, segmentKey, slotKey, strideOf } from '../segment-layout.ts';
import type { CollectionRow } from './collections.ts';
import { floatsOf } from './blobs.ts';
import { SignTable } from './sign-table.ts';
import { completeTables, missingTables, readVectorSchema } from './vector-schema.ts';
import { VectorWriter, WriterStatements } from './vector-writer.ts';

type NamedCollection = CollectionRow & { readonly name: string };

/** Finds missing and malformed parts in the tables of the vectors; empty for a file that never had any. */
export function findVectorDamage(db: Connection): readonly Damage[] {
  const missing = missingTables(db);
  if (missing === null) return [];
  if (missing.length > 0) return missing.map((table) => ({ table, problem: 'the table is missing' }));
  if (readVectorSchema(db) === null) return [{ table: 'vector_meta', problem: 'the version of the tables is missing' }];
  const next = `SELECT value FROM vector_meta WHERE key = 'next_collection'
    AND value > (SELECT coalesce(max(collection), 0) FROM vector_collections)`;
  const found: Damage[] = collectionsIn(db).flatMap((row) => [...damageOf(db, row), ...signDamageOf(db, row)]);
  if (db.prepare(next).get() === undefined)
    found.push({ table: 'vector_meta', problem: 'the number of the next collection is lost' });
  return found;
}

function collectionsIn(db: Connection): readonly NamedCollection[] {
  return db.prepare('SELECT * FROM vector_collections WHERE name IS NOT NULL').all() as readonly NamedCollection[];
}

function damageOf(db: Connection, { collection, dimensions, vectors, name }: NamedCollection): readonly Damage[] {
  const segments = [segmentKey(collection, 0), segmentKey(collection + 1, 0)] as const;
  const slots = [slotKey(collection, 0), slotKey(collection + 1, 0)] as const;
  const count = (sql: string, ...given: readonly number[]): number =>
    Number(
      db
        .prepare(sql)
        .pluck()
        .get(...given),
    );
  const inRange = 'WHERE segment >= ? AND segment < ?';
  const held = count(`SELECT coalesce(sum(vectors), 0) FROM vector_segments ${inRange}`, ...segments);
  const odd = count(
    `SELECT count(*) FROM vector_segments ${inRange} AND (length(live) <> ${SEGMENT_ROWS} OR length(scales) <> ${SEGMENT_ROWS * 4} OR length(ids) <> ${SEGMENT_ROWS * 32})`,
    ...segments,
  );
  const uncoded = count(
    `SELECT count(*) FROM vector_segments s ${inRange} AND coalesce((SELECT length(codes) FROM vector_codes c WHERE c.segment = s.segment), -1) <> ?`,
    ...segments,
    SEGMENT_ROWS * strideOf(dimensions),
  );
  const rows = count(
    'SELECT count(*) FROM vector_rows WHERE slot >= ? AND slot < ? AND length(vector) = ?',
    ...slots,
    dimensions * 4,
  );
  const named = count('SELECT count(*) FROM vector_slots WHERE collection = ?', collection);
  const found: Damage[] = [];
  const note = (table: string, problem: string): void => void found.push({ table, problem: `${name}: ${problem}` });
  if (held !== vectors) note('vector_segments', `there are ${held} vectors where ${vectors} were written`);
  if (odd > 0) note('vector_segments', `${odd} segments are malformed`);
  if (uncoded > 0) note('vector_codes', `the codes of ${uncoded} segments are missing or malformed`);
  if (rows !== vectors) note('vector_rows', `there are ${rows} vectors where ${vectors} were written`);
  if (named !== vectors) note('vector_slots', `there are ${named} places where ${vectors} vectors were written`);
  return found;
}

/** Damage of signs that searches would use; missing or outdated ones are not damage, because the next write creates them. */
function signDamageOf(db: Connection, row: NamedCollection): readonly Damage[] {
  const unsound = new SignTable(db).countUnsound(row);
  if (unsound === 0) return [];
  return [{ table: 'vector_signs', problem: `${row.name}: the signs of ${unsound} segments are missing or malformed` }];
}

/**
 * Rebuilds damaged collections from their vectors in full precision. Lost vectors are skipped: the documents' ledger records them, and the
 * next ingest recreates them. Damaged signs are removed. To be called in a transaction.
 */
export function repairVectors(db: Connection, file: string): void {
  completeTables(db);
  db.exec(
    "UPDATE vector_meta SET value = max(value, (SELECT coalesce(max(collection), 0) + 1 FROM vector_collections)) WHERE key = 'next_collection'",
  );
  for (const row of collectionsIn(db)) {
    if (signDamageOf(db, row).length > 0) new SignTable(db).remove(row.collection, 0);
    if (damageOf(db, row).length > 0) rewrite(db, row, file);
  }
}

function rewrite(db: Connection, row: NamedCollection, file: string): void {
  const { collection, dimensions } = row;
  const slots = [slotKey(collection, 0), slotKey(collection + 1, 0)];
  const stored = db
    .prepare(
      'SELECT embedding_id, chunk_id, doc_id, vector FROM vector_rows WHERE slot >= ? AND slot < ? ORDER BY slot',
    )
    .raw()
    .all(slots) as readonly (readonly [Buffer, Buffer, Buffer, Buffer])[];
  const records = new Map<string, VectorRecord>();
  for (const [embeddingId, chunkId, docId, vector] of stored) {
    if (vector.length !== dimensions * 4) continue;
    const id = embeddingId.toString('hex') as EmbeddingId;
    const [chunk, document] = [chunkId.toString('hex'), docId.toString('hex')];
    records.set(id, {
      embeddingId: id,
      chunkId: chunk,
      docId: document,
      vector: floatsOf(vector).slice(),
    } as VectorRecord);
  }
  db.prepare('DELETE FROM vector_rows WHERE slot >= ? AND slot < ?').run(slots);
  db.prepare('DELETE FROM vector_slots WHERE collection = ?').run(collection);
  for (const table of ['vector_segments', 'vector_codes'])
    db.prepare(`DELETE FROM ${table} WHERE segment >= ? AND segment < ?`).run(
      segmentKey(collection, 0),
      segmentKey(collection + 1, 0),
    );
  db.prepare('UPDATE vector_collections SET vectors = 0, version = version + 1 WHERE collection = ?').run(collection);
  const emptied = { ...row, vectors: 0, version: row.version + 1 };
  const writer = new VectorWriter(new WriterStatements(db), emptied, file);
  for (const record of records.values()) writer.put(record);
  writer.finish();
}
