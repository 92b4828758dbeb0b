import { sqlBuilder, statement } from '@kebab/sqlite-kit';
import type { Database as Connection } from 'better-sqlite3';
import type { ColumnType } from 'kysely';

/** The version of the tables below; a file with a higher one was written by a newer program. */
export const VECTOR_SCHEMA = 1;

/**
 * The tables of this store, beside those of the documents. `segment` is collection × 2^24 + the number of the segment, `slot` is collection
 * × 2^32 + segment × 256 + row. Versions count the transactions that changed a collection.
 */
const TABLES = `
CREATE TABLE IF NOT EXISTS vector_meta (key TEXT PRIMARY KEY NOT NULL, value INTEGER NOT NULL) WITHOUT ROWID;
INSERT OR IGNORE INTO vector_meta VALUES ('schema', ${VECTOR_SCHEMA}), ('next_collection', 1);
CREATE TABLE IF NOT EXISTS vector_collections (
  collection INTEGER PRIMARY KEY, name TEXT UNIQUE,       -- NULL while it is being removed
  dimensions INTEGER NOT NULL, version INTEGER NOT NULL, vectors INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS vector_segments (              -- what filters need of 256 vectors, apart from the codes
  segment INTEGER PRIMARY KEY, version INTEGER NOT NULL, codes_version INTEGER NOT NULL, vectors INTEGER NOT NULL,
  live BLOB NOT NULL, scales BLOB NOT NULL, ids BLOB NOT NULL);
CREATE INDEX IF NOT EXISTS idx_vector_segments_open ON vector_segments(segment) WHERE vectors < 256;
CREATE TABLE IF NOT EXISTS vector_codes (segment INTEGER PRIMARY KEY, codes BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS vector_rows (                  -- float32, for the order of the best and for moving elsewhere
  slot INTEGER PRIMARY KEY, embedding_id BLOB NOT NULL, chunk_id BLOB NOT NULL, doc_id BLOB NOT NULL, vector BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS vector_slots (
  collection INTEGER NOT NULL, embedding_id BLOB NOT NULL, slot INTEGER NOT NULL,
  PRIMARY KEY (collection, embedding_id)) WITHOUT ROWID;
`;

/** Bytes: any array may be written, a buffer is read. */
type Blob = ColumnType<Buffer, Uint8Array, Uint8Array>;

/** The tables above, and SQLite's own list of tables. */
interface VectorTables {
  readonly sqlite_schema: { readonly type: string; readonly name: string };
  readonly vector_meta: { key: string; value: number };
  readonly vector_collections: {
    collection: number;
    name: string | null;
    dimensions: number;
    version: number;
    vectors: number;
  };
  readonly vector_segments: {
    segment: number;
    version: number;
    codes_version: number;
    vectors: number;
    live: Blob;
    scales: Blob;
    ids: Blob;
  };
  readonly vector_codes: { segment: number; codes: Blob };
  readonly vector_rows: { slot: number; embedding_id: Blob; chunk_id: Blob; doc_id: Blob; vector: Blob };
  readonly vector_slots: { collection: number; embedding_id: Blob; slot: number };
}

/** Builds the queries of these tables. */
export const build = sqlBuilder<VectorTables>();

const TABLE_NAMES = [...TABLES.matchAll(/CREATE TABLE IF NOT EXISTS (\w+)/g)].map(([, name = '']) => name);

/** Creates missing tables. */
export function createTables(db: Connection): void {
  if (missingTables(db)?.length === 0) return;
  db.transaction(() => db.exec(TABLES)).immediate();
}

/** Creates missing tables and metadata. */
export function completeTables(db: Connection): void {
  db.exec(TABLES);
}

/** The missing tables; null for a file without any of them. */
export function missingTables(db: Connection): readonly string[] | null {
  const tables = statement(db, () => build.selectFrom('sqlite_schema').select('name').where('type', '=', 'table'));
  const names = new Set(tables.all({}).map(({ name }) => name));
  const missing = TABLE_NAMES.filter((name) => !names.has(name));
  return missing.length === TABLE_NAMES.length ? null : missing;
}

/** The version of a file's tables; null if it has none. */
export function readVectorSchema(db: Connection): number | null {
  const table = statement(db, () =>
    build.selectFrom('sqlite_schema').select('name').where('type', '=', 'table').where('name', '=', 'vector_meta'),
  );
  if (table.first({}) === undefined) return null;
  const version = statement(db, () => build.selectFrom('vector_meta').select('value').where('key', '=', 'schema'));
  return version.first({})?.value ?? null;
}
