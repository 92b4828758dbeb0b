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
  // The page size counts only for a file that is still empty. A segment passes through the cache once: a large one gains nothing.
  'PRAGMA page_size = 8192; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16384; PRAGMA journal_size_limit = 67108864;';

/**
 * Opens the vectors of a knowledge base: a connection of its own to the file that holds the documents. For writing, file and
 * tables are made when they are missing. Throws `vector_store_unreachable` when the file is missing or damaged or was written
 * by a newer program, `locked` when another process keeps it busy.
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

/** better-sqlite3 13 loads where Node-API 10 is missing, and then ends the process with a segmentation fault. */
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
    // Where no shared-memory file can be made and no log is left over, there is no writer: the file can be read as it stands.
    if (!UNWRITABLE.has(sqliteCode(error) ?? '') || sizeOf(`${file}-wal`) > 0) throw error;
    return prepared(new sqlite(imageOf(file), { readonly: true }), touch);
  }
}

/** What SQLite says when it cannot make the files that a database with a write-ahead log has beside it. */
const UNWRITABLE: ReadonlySet<string> = new Set(['SQLITE_CANTOPEN', 'SQLITE_READONLY_DIRECTORY']);
/** The two bytes of a header that say how a database is written and read: 2 for a write-ahead log, 1 for none. */
const FORMAT_AT = [18, 19];

/** The whole file in memory, as a database that has no log. Where nothing can be written, it stays true. */
function imageOf(file: string): Buffer {
  const image = readFileSync(file);
  for (const at of FORMAT_AT) if (image[at] === 2) image[at] = 1;
  return image;
}

/** Reads what every search reads first: damage shows there, and a folder in which nothing can be written. */
function touch(db: Connection): void {
  db.prepare('SELECT count(*) FROM sqlite_schema').get();
}

function checked(db: Connection, file: string): Connection {
  return prepared(db, () => {
    const found = readVectorSchema(db);
    if (found !== null && !(found <= VECTOR_SCHEMA))
      throw unreachable(file, `they have format ${found}, this kebab reads ${VECTOR_SCHEMA}`, {
        hint: 'install the newer kebab again, or make the vectors again: `kebab reset --vector-only`, then `kebab ingest`',
      });
  });
}

/** Sets a connection up, and closes it again when that fails. */
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
