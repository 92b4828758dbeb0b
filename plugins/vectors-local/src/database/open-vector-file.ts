import { existsSync } from 'node:fs';
import { BUSY_TIMEOUT_MS, bindingFailure, loadSqlite, openToRead, setUp, type Sqlite } from '@kebab/sqlite-kit';
import type { Database as Connection } from 'better-sqlite3';
import type { LocalVectorsConfig } from '../local-config.ts';
import { unreachable, vectorFailure } from '../vector-failure.ts';
import { VECTOR_SCHEMA, createTables, readVectorSchema } from './vector-schema.ts';

const PLUGIN = '@kebab/plugin-vectors-local';
const WRITING_CONNECTION =
  // The page size only affects an empty file. A segment passes through the cache once, so a large cache has no benefit.
  'PRAGMA page_size = 8192; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16384; PRAGMA journal_size_limit = 67108864;';

/**
 * Opens the vectors of a knowledge base: a separate connection to the file with the documents. For writing, file and tables are created if
 * missing. Throws `vector_store_unreachable` if the file is missing, damaged, or written by a newer program, `locked` if another process
 * keeps it busy.
 */
export async function openVectorFile({ file, readonly }: LocalVectorsConfig): Promise<Connection> {
  const sqlite = loadSqlite(PLUGIN);
  try {
    const db = readonly ? openForReading(sqlite, file) : openForWriting(sqlite, file);
    return checked(db, file);
  } catch (error) {
    throw (
      bindingFailure(error, { node: process.versions.node, plugin: PLUGIN }) ??
      (vectorFailure(error, file) satisfies unknown)
    );
  }
}

function openForWriting(sqlite: Sqlite, file: string): Connection {
  return setUp(new sqlite(file, { timeout: BUSY_TIMEOUT_MS }), (db) => {
    db.exec(WRITING_CONNECTION);
    db.pragma('journal_mode = WAL');
    createTables(db);
  });
}

function openForReading(sqlite: Sqlite, file: string): Connection {
  if (!existsSync(file))
    throw unreachable(file, 'there is no such file', { hint: 'build the index with `kebab ingest`' });
  return openToRead(sqlite, file, touch);
}

/** Reads what every search reads first, which fails if the file is damaged or the folder is read-only. */
function touch(db: Connection): void {
  db.prepare('SELECT count(*) FROM sqlite_schema').get();
}

function checked(db: Connection, file: string): Connection {
  return setUp(db, () => {
    const schema = readVectorSchema(db);
    if (schema !== null && !(schema <= VECTOR_SCHEMA))
      throw unreachable(file, `they have format ${schema}, this kebab reads ${VECTOR_SCHEMA}`, {
        hint: 'install the newer kebab again, or make the vectors again: `kebab reset --vector-only`, then `kebab ingest`',
      });
  });
}
