import { accessSync, chmodSync, constants, copyFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KebabError } from '@kebab/core';
import type { Database as Connection } from 'better-sqlite3';

/** The module `better-sqlite3`. */
export type Sqlite = typeof import('better-sqlite3');

/** How long a statement waits for another process that writes. */
export const BUSY_TIMEOUT_MS = 5000;

/** Loads better-sqlite3 for a plugin. Throws `plugin_incompatible` if its version would crash this Node. */
export function loadSqlite(plugin: string): Sqlite {
  const load = createRequire(import.meta.url); // `import()` would start Node's loader of ES modules for this one library
  const nodeApi = Number(process.versions['napi']);
  const { node } = process.versions;
  if (nodeApi < 10 || Number.parseInt(node, 10) >= 24) {
    const { version } = load('better-sqlite3/package.json') as { readonly version: string };
    checkLibrary({ library: version, nodeApi, node }, plugin);
  }
  return load('better-sqlite3') as Sqlite;
}

/** The versions that have to be compatible: better-sqlite3 and Node-API; that of Node is for the message. */
export interface LibraryVersions {
  readonly library: string;
  readonly nodeApi: number;
  readonly node: string;
}

/**
 * Throws `plugin_incompatible` for combinations that would crash the process. better-sqlite3 13 loads without Node-API 10 and then crashes.
 * So does 12 on Node 24, at the first garbage collection of a statement, if it was compiled for 24.19 or newer.
 */
export function checkLibrary({ library, nodeApi, node }: LibraryVersions, plugin: string): void {
  const isNew = Number.parseInt(library, 10) >= 13;
  if (isNew ? nodeApi >= 10 : Number.parseInt(node, 10) < 24) return;
  const reason = isNew
    ? `better-sqlite3 ${library} needs Node 22.14 or newer, this is Node ${node}`
    : `better-sqlite3 ${library} is not safe with Node 24 and newer, this is Node ${node}`;
  throw new KebabError('plugin_incompatible', reason, {
    details: { plugin, api_version: null, supported: [], reason },
    hint: isNew ? 'run kebab with Node 22.14 or newer, or install better-sqlite3@12' : 'install better-sqlite3@13',
  });
}

/** The Node major version of each ABI; npm has no binaries for others. */
const NODE_OF: Readonly<Record<string, string>> = { 108: '18', 115: '20', 127: '22', 131: '23', 137: '24' };

/** The error for a native part of better-sqlite3 that cannot be loaded, with the command that builds it; null for other failures. */
export function bindingFailure(
  error: unknown,
  { node, plugin }: { readonly node: string; readonly plugin: string },
): KebabError<'plugin_incompatible'> | null {
  if (!(error instanceof Error)) return null;
  const isMissing = error.message.startsWith('Could not locate the bindings file');
  if (!isMissing && (error as NodeJS.ErrnoException).code !== 'ERR_DLOPEN_FAILED') return null;
  const built = /NODE_MODULE_VERSION (\d+)/.exec(error.message)?.[1];
  const cause = isMissing
    ? 'was never built'
    : built === undefined
      ? `cannot be loaded (${error.message.split('\n')[0]})`
      : `was built for Node ${NODE_OF[built] ?? `with interface ${built}`}`;
  const reason = `the compiled part of better-sqlite3 ${cause}, this is Node ${node}`;
  const folder = /(\/[^\n']*?)[\\/]node_modules[\\/]better-sqlite3[\\/]/.exec(error.message)?.[1] ?? '.';
  return new KebabError('plugin_incompatible', reason, {
    details: { plugin, api_version: null, supported: [], reason },
    hint: `build it for this Node: npm rebuild better-sqlite3 --prefix ${JSON.stringify(folder)}`,
    cause: error,
  });
}

/** The code of an SQLite error, such as `SQLITE_FULL`; undefined for every other value. */
export function sqliteCode(error: unknown): string | undefined {
  const code = error instanceof Error ? (error as { readonly code?: unknown }).code : undefined;
  return typeof code === 'string' && code.startsWith('SQLITE_') ? code : undefined;
}

/** Sets up a connection, and closes it if that fails. */
export function setUp(db: Connection, configure: (db: Connection) => void): Connection {
  try {
    configure(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * Opens a database for reading, also in a folder where SQLite cannot create the files that a write-ahead log needs: if no log is left, the
 * database is read from a copy in memory. `check` reads something, which is when such a failure shows.
 */
export function openToRead(sqlite: Sqlite, file: string, check: (db: Connection) => void): Connection {
  try {
    return setUp(new sqlite(file, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS }), check);
  } catch (error) {
    if (!UNWRITABLE.has(sqliteCode(error) ?? '') || hasLog(file) || !isReadable(file)) throw error;
    return setUp(new sqlite(imageOf(sqlite, file), { readonly: true }), check);
  }
}

/** SQLite's error codes when it cannot create the files that a write-ahead log needs beside the database. */
const UNWRITABLE: ReadonlySet<string> = new Set(['SQLITE_CANTOPEN', 'SQLITE_READONLY_DIRECTORY']);

/**
 * The whole database in memory, without a write-ahead log: SQLite leaves that mode in a temporary copy. In a read-only folder nothing
 * changes, so the image stays valid.
 */
function imageOf(sqlite: Sqlite, file: string): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'kebab-'));
  try {
    const copy = join(folder, 'copy.sqlite');
    copyFileSync(file, copy);
    chmodSync(copy, 0o600);
    setUp(new sqlite(copy), (db) => db.pragma('journal_mode = DELETE')).close();
    return readFileSync(copy);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whether there are changes in the log that are not in the file itself. */
function hasLog(file: string): boolean {
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false });
  return log?.isFile() === true && log.size > 0;
}
