import { existsSync, statSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { KebabError, isKebabError, type PluginContext } from '@kebab/core';
import { DATABASE_MARK, makeFolder } from '@kebab/core/store';
import {
  BUSY_TIMEOUT_MS,
  bindingFailure,
  loadSqlite,
  openToRead,
  setUp,
  sqliteCode,
  statement,
  type Sqlite,
} from '@kebab/sqlite-kit';
import type { Database as Connection } from 'better-sqlite3';
import { registerFilterFunctions } from '../filter-sql.ts';
import type { StoreConfig } from '../store-config.ts';
import { newerDatabase, storeDamaged, storeFailure } from './store-failure.ts';
import { build, readSchemaVersion, ROW_ID, SCHEMA_VERSION } from './tables.ts';

/** How a database is opened. */
export interface OpenDatabaseOptions {
  /** An absolute path, or `:memory:`. */
  readonly file: string;
  readonly readonly: boolean;
  readonly now: () => Date;
}

const PLUGIN = '@kebab/plugin-store-sqlite';
const EVERY_CONNECTION = 'PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY;';
/** Not for other databases: the second one is a write, even where it changes nothing, and fails on a full disk. */
const EMPTY_DATABASE = [
  'PRAGMA page_size = 8192', // half the system calls of 4 KiB pages, for hardly more space
  'PRAGMA auto_vacuum = INCREMENTAL;',
].join('; ');
const WRITING_CONNECTION = [
  'PRAGMA synchronous = NORMAL',
  'PRAGMA cache_size = -16384', // KiB
  // With a checkpoint every 32 MiB instead of 8, pages shared by many documents are written less often.
  'PRAGMA wal_autocheckpoint = 4000',
  'PRAGMA journal_size_limit = 67108864;',
].join('; ');

const connections = new WeakMap<PluginContext<StoreConfig>, Promise<Connection>>();

/** Returns the connection shared by all components of one context. A failed attempt is not cached. */
export function openStore(context: PluginContext<StoreConfig>): Promise<Connection> {
  let connection = connections.get(context);
  if (connection === undefined) {
    const { config, clock } = context;
    connection = openDatabase({ file: config.file, readonly: config.readonly, now: () => clock.now() });
    connections.set(context, connection);
    connection.catch(() => connections.delete(context));
  }
  return connection;
}

/**
 * Opens the database of a knowledge base. For writing, it is created if missing and migrated to the newest schema. For reading, it is not
 * changed, and may be in a read-only folder. Throws `not_indexed` if there is none to read or it has a different schema, `io_error` if it
 * cannot be read or belongs to another program (of kind `EEXIST`), `locked` if another process keeps it busy.
 */
export async function openDatabase({ file, readonly, now }: OpenDatabaseOptions): Promise<Connection> {
  const sqlite = loadSqlite(PLUGIN);
  try {
    return readonly ? openForReading(sqlite, file) : await openForWriting(sqlite, file, now);
  } catch (error) {
    if (isKebabError(error)) throw error;
    throw (
      bindingFailure(error, { node: process.versions.node, plugin: PLUGIN }) ??
      (storeFailure(error, file) satisfies unknown)
    );
  }
}

async function openForWriting(sqlite: Sqlite, file: string, now: () => Date): Promise<Connection> {
  const { migrate, sqliteMigrations } = await import('./migrate.ts');
  if (file !== ':memory:') {
    mkdirOf(file);
    refuseOtherKinds(file);
  }
  return setUp(new sqlite(file, { timeout: BUSY_TIMEOUT_MS }), (db) => {
    const isEmpty = file === ':memory:' || !isOurs(db, file);
    db.exec((isEmpty ? EMPTY_DATABASE : '') + EVERY_CONNECTION + WRITING_CONNECTION);
    useWriteAheadLog(db, isEmpty && file !== ':memory:');
    if (readSchemaVersion(db) === null && hasTablesOfOurs(db))
      throw storeDamaged(file, { table: 'schema_meta', cause: 'the version of the schema is missing' });
    migrate(db, { migrations: sqliteMigrations(), now });
    registerFilterFunctions(db);
  });
}

function openForReading(sqlite: Sqlite, file: string): Connection {
  refuseOtherKinds(file);
  if (!existsSync(file)) throw notIndexed(`nothing has been indexed yet: there is no ${file}`, 'a database', 'no file');
  return openToRead(sqlite, file, (db) => {
    checkReadable(db, file);
    registerFilterFunctions(db);
  });
}

function checkReadable(db: Connection, file: string): void {
  db.exec(EVERY_CONNECTION);
  isOurs(db, file);
  const version = readSchemaVersion(db);
  const expected = `schema ${SCHEMA_VERSION}`;
  if (version === null && !hasTablesOfOurs(db)) throw notIndexed('the database is empty', expected, 'no schema');
  if (version === null) return; // the rest of it can be read
  if (version < SCHEMA_VERSION)
    throw notIndexed('the database was made by an older kebab', expected, `schema ${version}`, OF_OLDER_KEBAB);
}

/**
 * Switches to WAL, with retries: two processes that switch a new file at the same time can conflict in a way that SQLite's busy timeout
 * does not cover. The mark of a new database is written before that, into the file itself, so that it can be read even if the log is lost.
 */
function useWriteAheadLog(db: Connection, isNew: boolean): void {
  for (let attempt = 1; ; attempt++) {
    try {
      if (isNew) db.pragma(`application_id = ${DATABASE_MARK}`);
      db.pragma('journal_mode = WAL');
      return;
    } catch (error) {
      if (attempt === 100 || sqliteCode(error)?.startsWith('SQLITE_BUSY') !== true) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }
  }
}

/**
 * Whether a database was made by kebab; false for one without any tables. Called before anything is changed: a database of another program,
 * or of a newer kebab, is left alone.
 */
function isOurs(db: Connection, file: string): boolean {
  const mark = db.pragma('application_id', { simple: true });
  if (mark !== 0 && mark !== DATABASE_MARK) throw foreign(file, `its application_id is ${String(mark)}`);
  const version = mark === DATABASE_MARK ? readSchemaVersion(db) : null;
  if (version !== null && version > SCHEMA_VERSION) throw newerDatabase(SCHEMA_VERSION, version);
  if (mark === DATABASE_MARK) return true;
  const tables = statement(db, () => build.selectFrom('sqlite_schema').select('name').orderBy(ROW_ID).limit(1));
  const first = tables.first({});
  if (first !== undefined) throw foreign(file, `it has a table ${first.name}`);
  return false;
}

/** Whether the database has tables of kebab. */
function hasTablesOfOurs(db: Connection): boolean {
  const found = statement(db, () =>
    build.selectFrom('sqlite_schema').select('name').where('name', 'in', LASTING_TABLES).limit(1),
  );
  return found.first({}) !== undefined;
}

/** Tables of every schema. */
const LASTING_TABLES = ['migrations', 'kv', 'documents', 'document_texts', 'chunks'];

function foreign(file: string, why: string): KebabError<'io_error'> {
  const what = `is the database of another program: ${why}`;
  return new KebabError('io_error', `${file} ${what}`, {
    details: { kind: 'EEXIST', path: file, cause: what },
    hint: 'give kebab a database of its own: set storage.sqlite to another path',
  });
}

/** Rejects pipes and devices, on which opening would block. */
function refuseOtherKinds(file: string): void {
  const kind = statOf(file);
  if (kind?.isDirectory() === true) throw ioError('EISDIR', file, 'is a folder, not a database');
  if (kind?.isFile() === false) throw ioError('ENXIO', file, 'is a pipe, a socket or a device, not a database');
}

function statOf(file: string): Stats | undefined {
  try {
    return statSync(file); // with `throwIfNoEntry: false`, Node 22 reports a path below a file as missing
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'EIO';
    if (code === 'ENOENT') return undefined;
    const what = code === 'ENOTDIR' ? 'lies below a file, not a folder' : 'cannot be looked at';
    throw ioError(code, file, what, error);
  }
}

function mkdirOf(file: string): void {
  const folder = dirname(file);
  try {
    makeFolder(folder);
  } catch (error) {
    throw ioError((error as NodeJS.ErrnoException).code ?? 'EIO', folder, 'cannot be made', error);
  }
}

function ioError(kind: string, path: string, what: string, cause?: unknown): KebabError<'io_error'> {
  return new KebabError('io_error', `${path} ${what}`, { details: { kind, path, cause: what }, cause });
}

const OF_OLDER_KEBAB = 'bring it up to date with `kebab ingest`: what is indexed stays';

function notIndexed(
  message: string,
  expected: string,
  found: string,
  hint = 'index your folders with `kebab ingest`; `kebab add FOLDER` adds one',
): KebabError<'not_indexed'> {
  return new KebabError('not_indexed', message, { details: { expected, found }, hint });
}
