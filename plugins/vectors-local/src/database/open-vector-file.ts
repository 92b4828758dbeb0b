import { existsSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { KebabError } from '@kebab/core';
import type { Database as Connection } from 'better-sqlite3';
import type { LocalVectorsConfig } from '../local-config.ts';
import { sqliteCode, unreachable, vectorFailure } from '../vector-failure.ts';
import { VECTOR_SCHEMA, createTables, readVectorSchema } from './vector-schema.ts';

type Sqlite = typeof import('better-sqlite3');

const BUSY_TIMEOUT_MS = 5000;
const WRITING_CONNECTION =
  // The page size only affects an empty file. A segment passes through the cache once, so a large cache has no benefit.
  'PRAGMA page_size = 8192; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16384; PRAGMA journal_size_limit = 67108864;';

/**
 * Opens the vectors of a knowledge base: a separate connection to the file with the documents. For writing, file and tables are created if
 * missing. Throws `vector_store_unreachable` if the file is missing, damaged, or written by a newer program, `locked` if another process
 * keeps it busy.
 */
export async function openVectorFile({ file, readonly }: LocalVectorsConfig): Promise<Connection> {
  const { default: sqlite } = await importSqlite();
  try {
    const db = readonly ? openForReading(sqlite, file) : openForWriting(sqlite, file);
    return checked(db, file);
  } catch (error) {
    throw vectorFailure(error, file) satisfies unknown;
  }
}

async function importSqlite(): Promise<{ readonly default: Sqlite }> {
  if (Number(process.versions['napi']) < 10) refuseTooNewLibrary();
  return import('better-sqlite3');
}

/** better-sqlite3 13 loads without Node-API 10, and then crashes the process with a segmentation fault. */
function refuseTooNewLibrary(): void {
  const { version } = createRequire(import.meta.url)('better-sqlite3/package.json') as { readonly version: string };
  if (Number.parseInt(version, 10) < 13) return;
  const reason = `better-sqlite3 ${version} needs Node 22.14 or newer, this is Node ${process.versions.node}`;
  throw new KebabError('plugin_incompatible', reason, {
    details: { plugin: '@kebab/plugin-vectors-local', api_version: null, supported: [], reason },
    hint: 'run kebab with Node 22.14 or newer, or install better-sqlite3@12',
  });
}

function openForWriting(sqlite: Sqlite, file: string): Connection {
  return prepared(new sqlite(file, { timeout: BUSY_TIMEOUT_MS }), (db) => {
    db.exec(WRITING_CONNECTION);
    db.pragma('journal_mode = WAL');
    createTables(db);
  });
}

function openForReading(sqlite: Sqlite, file: string): Connection {
  if (!existsSync(file))
    throw unreachable(file, 'there is no such file', { hint: 'build the index with `kebab ingest`' });
  try {
    return prepared(new sqlite(file, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS }), touch);
  } catch (error) {
    // If no shared-memory file can be created and no log is left, there is no writer, and the file can be read as it is.
    if (!UNWRITABLE.has(sqliteCode(error) ?? '') || sizeOf(`${file}-wal`) > 0) throw error;
    return prepared(new sqlite(imageOf(file), { readonly: true }), touch);
  }
}

/** SQLite's error codes when it cannot create the files that a write-ahead log needs beside the database. */
const UNWRITABLE: ReadonlySet<string> = new Set(['SQLITE_CANTOPEN', 'SQLITE_READONLY_DIRECTORY']);
/** The header bytes with the write and read format versions of a database: 2 for a write-ahead log, 1 for none. */
const FORMAT_AT = [18, 19];

/** The whole file in memory, as a database without a log. In a read-only folder it stays valid. */
function imageOf(file: string): Buffer {
  const image = readFileSync(file);
  for (const at of FORMAT_AT) if (image[at] === 2) image[at] = 1;
  return image;
}

/** Reads what every search reads first, which fails if the file is damaged or the folder is read-only. */
function touch(db: Connection): void {
  db.prepare('SELECT count(*) FROM sqlite_schema').get();
}

function checked(db: Connection, file: string): Connection {
  return prepared(db, () => {
    const schema = readVectorSchema(db);
    if (schema !== null && !(schema <= VECTOR_SCHEMA))
      throw unreachable(file, `they have format ${schema}, this kebab reads ${VECTOR_SCHEMA}`, {
        hint: 'install the newer kebab again, or make the vectors again: `kebab reset --vector-only`, then `kebab ingest`',
      });
  });
}

/** Sets up a connection, and closes it if that fails. */
function prepared(db: Connection, setUp: (db: Connection) => void): Connection {
  try {
    setUp(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
