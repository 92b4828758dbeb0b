import type { Database } from 'better-sqlite3';
import { openDatabase } from '../src/database/open-database.ts';
import { SqliteDocumentStore } from '../src/documents/sqlite-document-store.ts';

const now = (): Date => new Date('2026-01-01T00:00:00Z');

/** Opens an in-memory database with the current schema. */
export function memoryDatabase(): Promise<Database> {
  return openDatabase({ file: ':memory:', readonly: false, now });
}

/** Opens a file as another process would. */
export function fileDatabase(file: string, readonly = false): Promise<Database> {
  return openDatabase({ file, readonly, now });
}

/** Opens a store on an in-memory database, and returns both. */
export async function memoryStore(): Promise<{ readonly store: SqliteDocumentStore; readonly db: Database }> {
  const db = await memoryDatabase();
  return { store: new SqliteDocumentStore(db, { location: ':memory:', lockFile: null, embeddingCache: null }), db };
}

/** Opens a store on a file, with a lock file next to it. */
export async function fileStore(file: string, readonly = false): Promise<SqliteDocumentStore> {
  return new SqliteDocumentStore(await fileDatabase(file, readonly), {
    location: file,
    lockFile: `${file}.lock`,
    embeddingCache: null,
  });
}
