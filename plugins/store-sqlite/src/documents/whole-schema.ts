import type { Database as Connection } from 'better-sqlite3';
import { migrate, shippedMigrations } from '../database/migrate.ts';
import { SCHEMA_VERSION } from '../database/schema-version.ts';

/** A table, an index or a trigger, as listed in `sqlite_schema`. */
interface SchemaObject {
  readonly type: string;
  readonly name: string;
  readonly sql: string;
}

/** The objects of the current schema, and an empty database with that schema. */
export interface WholeSchema {
  readonly objects: readonly SchemaObject[];
  readonly empty: Connection;
}

/** All objects except the tables that FTS5 and SQLite create themselves. */
const OWN_OBJECTS = `SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'chunks\\_fts\\_%' ESCAPE '\\'
  AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY CASE type WHEN 'table' THEN 0 WHEN 'index' THEN 1 ELSE 2 END, rowid`;

/** Creates an empty in-memory database with the current schema. */
export function wholeSchema(db: Connection): WholeSchema {
  const Sqlite = db.constructor as new (file: string) => Connection;
  const empty = new Sqlite(':memory:');
  migrate(empty, { migrations: shippedMigrations(), now: () => new Date(0) });
  return { empty, objects: empty.prepare(OWN_OBJECTS).all() as readonly SchemaObject[] };
}

/** The objects of the schema that are missing; the full-text index counts as missing if one of its tables is. */
export function missingObjects(db: Connection, { objects, empty }: WholeSchema): readonly SchemaObject[] {
  const names = namesIn(db);
  const parts = [...namesIn(empty)].filter((name) => name.startsWith('chunks_fts_'));
  return objects.filter(
    ({ name }) => !names.has(name) || (name === 'chunks_fts' && parts.some((part) => !names.has(part))),
  );
}

/** The tables whose columns differ from the schema, so that their contents cannot be interpreted. */
export function strangeTables(db: Connection, { objects, empty }: WholeSchema): readonly string[] {
  const names = namesIn(db);
  return objects
    .filter(({ type, name }) => type === 'table' && names.has(name) && name !== 'chunks_fts')
    .filter(({ name }) => columnsOf(db, name) !== columnsOf(empty, name))
    .map(({ name }) => name);
}

/** Creates missing tables, indexes and triggers, except for the full-text index, which `emptyFullText` creates. */
export function makeObjects(db: Connection, missing: readonly SchemaObject[]): void {
  for (const { name, sql } of missing) if (name !== 'chunks_fts') db.exec(sql);
}

/** The facts about the database that are missing: its version, its migrations, its id, its revision. */
export function missingFacts(
  db: Connection,
  { empty }: WholeSchema,
): readonly (readonly [table: string, what: string])[] {
  const missing: (readonly [string, string])[] = [];
  const version = db.prepare("SELECT value FROM schema_meta WHERE key = 'schema_version'").pluck().get();
  if (version !== String(SCHEMA_VERSION)) missing.push(['schema_meta', 'the version of the schema is missing']);
  const applied = new Set(db.prepare('SELECT id FROM migrations').pluck().all());
  const wanted = empty.prepare('SELECT id FROM migrations').pluck().all();
  if (wanted.some((id) => !applied.has(id))) missing.push(['migrations', 'the list of migrations is not complete']);
  const keys = new Set(db.prepare('SELECT key FROM kv WHERE value IS NOT NULL').pluck().all());
  if (!keys.has('knowledge_base')) missing.push(['kv', 'the id of the knowledge base is missing']);
  if (!keys.has('corpus_revision')) missing.push(['kv', 'the revision of the corpus is missing']);
  return missing;
}

/** Writes the facts that {@link missingFacts} finds missing. A lost revision becomes larger than any it can have had. */
export function writeFacts(db: Connection, { empty }: WholeSchema): void {
  const rows = empty.prepare('SELECT id, description, checksum FROM migrations').all();
  const add = db.prepare(
    "INSERT OR IGNORE INTO migrations (id, applied_at, description, checksum) VALUES (@id, strftime('%Y-%m-%dT%H:%M:%fZ'), @description, @checksum)",
  );
  for (const row of rows) add.run(row);
  db.exec(`INSERT OR REPLACE INTO schema_meta VALUES ('schema_version', '${SCHEMA_VERSION}');
    INSERT OR IGNORE INTO kv VALUES ('knowledge_base', lower(hex(randomblob(16))));
    INSERT OR IGNORE INTO kv VALUES ('corpus_revision', strftime('%s'));`);
}

function namesIn(db: Connection): ReadonlySet<string> {
  return new Set(db.prepare('SELECT name FROM sqlite_schema').pluck().all() as readonly string[]);
}

function columnsOf(db: Connection, table: string): string {
  return (db.pragma(`table_info(${table})`) as readonly { readonly name: string }[]).map(({ name }) => name).join();
}
