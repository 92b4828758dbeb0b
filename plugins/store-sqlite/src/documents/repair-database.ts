import { rmSync } from 'node:fs';
import { KebabError, throwIfCancelled } from '@kebab/core';
import {
  type Damage,
  type DocumentPlace,
  type RepairOptions,
  type StoreRepair,
  DATABASE_MARK,
} from '@kebab/core/store';
import type { Database as Connection } from 'better-sqlite3';
import { newerDatabase, readSchemaVersion, SCHEMA_VERSION } from '../database/schema-version.ts';
import { storeDamaged, storeFailure } from '../database/store-failure.ts';
import { WriterLock } from '../locking/writer-lock.ts';
import {
  findDamage,
  damagedJson,
  documentsOfJson,
  keepRest,
  markForReading,
  mistagged,
  orphans,
  type PlacedDocument,
  removeOrphans,
  replaceJson,
  type RowFault,
  rowFaults,
  takeOut,
} from './damaged-rows.ts';
import { emptyFullText, fillFullText } from './rebuild-full-text.ts';
import {
  makeObjects,
  missingObjects,
  strangeTables,
  wholeSchema,
  type WholeSchema,
  writeFacts,
} from './whole-schema.ts';

/** The database to repair, with its lock. */
interface RepairPlace {
  readonly file: string;
  readonly lockFile: string | null;
  /** Whether a writer of the same store is open. */
  readonly here: { isHeld: boolean };
}

const BUSY_TIMEOUT_MS = 5000;

/**
 * Repairs a database while no other process writes. Recreates what is missing, and rebuilds what is malformed from intact data, in one
 * transaction. If pages are malformed, it repairs a copy, which then replaces the contents of the file in one transaction. So readers see
 * either the old or the new state, even after a repair that was killed.
 */
export async function repairDatabase(place: RepairPlace, options: RepairOptions): Promise<StoreRepair> {
  const { file, lockFile, here } = place;
  const lock = await WriterLock.acquire({ ...options, path: lockFile, location: file, here });
  const { default: Sqlite } = await import('better-sqlite3');
  const db = new Sqlite(file, { timeout: BUSY_TIMEOUT_MS, fileMustExist: true });
  const schema = wholeSchema(db);
  try {
    checkVersion(db);
    options.onStep('looking for damage');
    const damage = findDamage(db, schema, true);
    if (damage.length === 0) return { damage, readAgain: [], incomplete: [], hasLostPlaces: false };
    throwIfCancelled(options.signal, 'repair');
    const arePagesDamaged = damage.some(({ table }) => table === null);
    return arePagesDamaged
      ? await repairCopy(db, { file, damage, schema, options })
      : new Repair(db, { file, damage, schema, options }).run(options.dryRun);
  } catch (error) {
    throw storeFailure(error, file) satisfies unknown;
  } finally {
    db.close();
    schema.empty.close();
    lock.release();
  }
}

/** Throws for a database with another schema version, in which damage cannot be recognised. */
function checkVersion(db: Connection): void {
  const version = readSchemaVersion(db);
  if (version === null || version === SCHEMA_VERSION) return;
  if (version > SCHEMA_VERSION) throw newerDatabase(SCHEMA_VERSION, version);
  throw new KebabError('not_indexed', 'the database was made by an older kebab', {
    details: { expected: `schema ${SCHEMA_VERSION}`, found: `schema ${version}` },
    hint: 'bring it up to date with `kebab ingest`, then run `kebab repair` again',
  });
}

interface RepairInit {
  readonly file: string;
  readonly damage: readonly Damage[];
  readonly schema: WholeSchema;
  readonly options: RepairOptions;
}

/** Copies what can be read, repairs the copy, and overwrites the old contents with it in one transaction. */
async function repairCopy(db: Connection, { file, damage, schema, options }: RepairInit): Promise<StoreRepair> {
  const path = `${file}.repair`;
  try {
    options.onStep('saving what can be read');
    const saved = salvage(db, schema, path);
    const Sqlite = db.constructor as new (name: string) => Connection;
    const copy = new Sqlite(path);
    try {
      const hasLostPlaces = saved.incomplete.includes('documents');
      const lost = saved.incomplete.map((table): Damage => ({ table, problem: 'not all rows can be read' }));
      const repaired = new Repair(copy, { file, damage: [...damage, ...lost], schema, options }).run(false);
      if (!options.dryRun) {
        options.onStep('writing the repaired database');
        await copy.backup(file);
      }
      return { ...repaired, hasLostPlaces: hasLostPlaces || repaired.hasLostPlaces };
    } finally {
      copy.close();
    }
  } finally {
    for (const name of [path, `${path}-journal`, `${path}-wal`, `${path}-shm`]) rmSync(name, { force: true });
  }
}

/** One repair of one connection, in one transaction. */
class Repair {
  readonly #db: Connection;
  readonly #init: RepairInit;
  readonly #readAgain = new Map<string, DocumentPlace>();
  readonly #incomplete = new Map<string, StoreRepair['incomplete'][number]>();
  #hasLostPlaces = false;

  constructor(db: Connection, init: RepairInit) {
    this.#db = db;
    this.#init = init;
  }

  /** Repairs the database, and rolls everything back if it is a trial. */
  run(isTrial: boolean): StoreRepair {
    const db = this.#db;
    const { file, damage, schema } = this.#init;
    const [strange] = strangeTables(db, schema);
    if (strange !== undefined) throw beyondRepair(file, strange, 'it has other columns than it should');
    db.unsafeMode(true);
    db.exec('PRAGMA foreign_keys = OFF');
    db.exec('BEGIN IMMEDIATE');
    try {
      this.#rebuild();
      const left = findDamage(db, schema, true);
      const [first] = left;
      if (first !== undefined) throw beyondRepair(file, first.table, first.problem);
      db.exec("UPDATE kv SET value = CAST(value AS INTEGER) + 1 WHERE key = 'corpus_revision'");
      db.exec(isTrial ? 'ROLLBACK' : 'COMMIT');
    } catch (error) {
      if (db.inTransaction) db.exec('ROLLBACK');
      throw error;
    } finally {
      db.unsafeMode(false);
    }
    return {
      damage,
      readAgain: [...this.#readAgain.values()],
      incomplete: [...this.#incomplete.values()],
      hasLostPlaces: this.#hasLostPlaces,
    };
  }

  #rebuild(): void {
    const db = this.#db;
    const { schema, options, damage } = this.#init;
    options.onStep('creating what is missing');
    const missing = missingObjects(db, schema);
    const has = (table: string): boolean => !missing.some(({ type, name }) => type === 'table' && name === table);
    makeObjects(db, missing);
    writeFacts(db, schema);
    if (!has('documents')) this.#hasLostPlaces = true;
    if (!has('embedding_records')) db.exec('UPDATE documents SET embedding_fingerprint = NULL');
    const indexes = damage.filter(({ table, problem }) => table !== null && /index \w+$/.test(problem));
    for (const { table } of indexes) db.exec(`REINDEX ${table}`);
    options.onStep('repairing rows');
    this.#replaceJson();
    const faults = rowFaults(db, true);
    const losesChunks = faults.length > 0 || orphans(db).some(([table]) => table === 'chunks');
    const isDamaged = !has('chunks_fts') || damage.some(({ table }) => table === 'chunks_fts');
    if (isDamaged || losesChunks) {
      // Deleting rows one by one would leave the totals of the index wrong.
      emptyFullText(db, schema);
      db.exec('DROP TRIGGER chunks_ad');
    }
    for (const fault of faults) this.#repairDocuments(fault);
    removeOrphans(db);
    mistagged(db, true);
    if (!isDamaged && !losesChunks) return;
    makeObjects(db, missingObjects(db, schema));
    options.onStep('rebuilding the full-text index');
    fillFullText(db, () => throwIfCancelled(options.signal, 'repair'));
  }

  #replaceJson(): void {
    const db = this.#db;
    for (const column of damagedJson(db)) {
      const documents = documentsOfJson(db, column);
      for (const one of documents) this.#note(one, `its ${column.column.replace(/_json$/, '').replaceAll('_', ' ')}`);
      replaceJson(db, column);
      markForReading(db, documents);
    }
  }

  #repairDocuments(fault: RowFault): void {
    const there: PlacedDocument[] = [];
    const gone: PlacedDocument[] = [];
    for (const one of fault.documents) {
      this.#note(one, LOST[fault.table] ?? fault.table);
      (this.#init.options.isThere(one) ? there : gone).push(one);
    }
    takeOut(this.#db, there);
    keepRest(this.#db, { ...fault, documents: gone });
  }

  #note(document: PlacedDocument, lost: string): void {
    const { sourceId, workspacePath } = document;
    const key = `${sourceId}\0${workspacePath}`;
    if (this.#init.options.isThere(document)) this.#readAgain.set(key, { sourceId, workspacePath });
    else this.#incomplete.set(key, { sourceId, workspacePath, lost });
  }
}

/** What a document whose file is gone has lost, by the damaged table. */
const LOST: Readonly<Record<string, string>> = {
  assets: 'the record of its file',
  document_texts: 'its text',
  chunks: 'its passages: it is not found by a search',
  document_blocks: 'its blocks',
};

function beyondRepair(file: string, table: string | null, problem: string): Error {
  const cause = `${problem}, and it could not be repaired`;
  return storeDamaged(file, {
    table,
    cause,
    hint: 'build the index again: `kebab reset --data-only`, then `kebab ingest`',
  });
}

type OpenDatabase = new (file: string, options?: { readonly readonly?: boolean }) => Connection;

/** The result of a salvage; `incomplete` are the tables from which an unknown number of rows could not be read. */
interface Salvage {
  readonly file: string;
  readonly incomplete: readonly string[];
}

/**
 * Copies whatever can be read from a database with malformed pages into a new file next to it, table by table, and from both ends if a
 * table cannot be read in the middle. The full-text index is not copied, because it is rebuilt from the texts.
 */
function salvage(db: Connection, { objects }: WholeSchema, file: string): Salvage {
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

/** Vectors are in the same file, in tables that another plugin created. */
const FOREIGN_OBJECTS =
  "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND tbl_name GLOB 'vector_*' AND type IN ('table', 'index')";

/** Copies the rows of a table; false if not all of them can be read. */
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
