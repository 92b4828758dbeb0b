import { rmSync } from 'node:fs';
import { DATABASE_MARK } from '@kebab/core/store';
import type { Database as Connection } from 'better-sqlite3';
import type { WholeSchema } from './whole-schema.ts';

type OpenDatabase = new (file: string, options?: { readonly readonly?: boolean }) => Connection;

/** How many rows a salvage could not read is not known; of these tables some are missing. */
export interface Salvage {
  readonly file: string;
  readonly incomplete: readonly string[];
}

/**
 * Copies whatever can be read of a database with malformed pages into a new file beside it, table by table, from both ends where a
 * table breaks off in the middle. Full text is not copied: it is made again from the texts.
 */
export function salvage(db: Connection, { objects }: WholeSchema, file: string): Salvage {
  const Sqlite = db.constructor as OpenDatabase;
  for (const name of [file, `${file}-journal`, `${file}-wal`, `${file}-shm`]) rmSync(name, { force: true });
  const copy = new Sqlite(file);
  try {
    copy.exec(`PRAGMA page_size = ${Number(db.pragma('page_size', { simple: true }))}; PRAGMA auto_vacuum = INCREMENTAL;
      PRAGMA application_id = ${DATABASE_MARK}; PRAGMA journal_mode = DELETE; PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF`);
    const incomplete: string[] = [];
    copy.transaction(() => {
      const others =
        attempt(
          () =>
            db.prepare(FOREIGN_OBJECTS).all() as readonly {
              readonly type: string;
              readonly name: string;
              readonly sql: string;
            }[],
        ) ?? [];
      const tables = [...objects, ...others].filter(({ type, name }) => type === 'table' && name !== 'chunks_fts');
      for (const { name, sql } of tables) {
        copy.exec(sql);
        if (!copyRows(db, copy, name)) incomplete.push(name);
      }
      for (const { type, sql } of others) if (type === 'index') copy.exec(sql);
    })();
    return { file, incomplete };
  } finally {
    copy.close();
  }
}

/** Vectors lie in the same file, in tables that others made. */
const FOREIGN_OBJECTS =
  "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND tbl_name GLOB 'vector_*' AND type IN ('table', 'index')";

/** Copies the rows of a table; false when not all of them can be read. */
function copyRows(from: Connection, to: Connection, table: string): boolean {
  const columns = (to.pragma(`table_info(${table})`) as readonly { readonly name: string; readonly pk: number }[]).map(
    ({ name, pk }) => ({ name, pk }),
  );
  const names = columns.map(({ name }) => name);
  const key = columns.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk);
  const order = key.length === 0 ? ['rowid'] : key.map(({ name }) => name);
  const insert = to.prepare(`INSERT OR IGNORE INTO ${table} (${names.join()}) VALUES (${names.map(() => '?').join()})`);
  const read = (direction: 'ASC' | 'DESC'): boolean => {
    try {
      const rows = from
        .prepare(`SELECT ${names.join()} FROM ${table} ORDER BY ${order.map((name) => `${name} ${direction}`).join()}`)
        .raw()
        .safeIntegers();
      for (const row of rows.iterate() as Iterable<readonly unknown[]>) insert.run(...row);
      return true;
    } catch {
      return false;
    }
  };
  return read('ASC') || (read('DESC'), false);
}

function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
