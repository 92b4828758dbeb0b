import { chmodSync, closeSync, existsSync, lstatSync, openSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { blake3Hex, makeFolder } from '@kebab/core/store';
import {
  columnsOf,
  inList,
  sqlBuilder,
  sqliteCode,
  statement,
  statementsOn,
  type Placeholder,
} from '@kebab/sqlite-kit';
import Sqlite, { type Database as Connection } from 'better-sqlite3';

/** An entry of a cache of derived bytes. */
interface Entry {
  readonly key: string;
  readonly payload: Uint8Array;
}

/** The number and size of the shared embeddings. */
export interface SharedEmbeddingsSize {
  readonly entries: number;
  readonly bytes: number;
}

/** Far more than the vectors of one knowledge base: some 600,000 passages of a model with 384 dimensions. */
const MAX_BYTES = 1_073_741_824;
/** The share of a cache that is kept when it has grown too large. */
const KEPT_SHARE = 0.9;
/** A cache that is busy for longer is not used. */
const BUSY_TIMEOUT_MS = 500;
const MS_PER_DAY = 86_400_000;
const CHECK_BYTES = 8;
/** Incremented when the format of entries changes; a file of another version is discarded. */
const VERSION = 1;

const TABLE = `CREATE TABLE IF NOT EXISTS embeddings (
  key TEXT PRIMARY KEY, vector BLOB NOT NULL, used_day INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS embeddings_by_use ON embeddings (used_day)`;

/** A row of the file's only table. */
interface StoredVector {
  readonly key: string;
  readonly vector: Uint8Array;
  readonly used_day: number;
}

/**
 * Embeddings by the hash of text and model, in one file for all knowledge bases of a user. It contains hashes and vectors, but no text. It
 * is only a cache: nothing here throws, unreadable entries count as missing, and a damaged file is replaced.
 */
export class SharedEmbeddings {
  readonly #file: string;
  readonly #maxBytes: number;
  #opened: Connection | null | undefined;

  constructor(file: string, maxBytes: number = MAX_BYTES) {
    this.#file = file;
    this.#maxBytes = maxBytes;
  }

  /** The bytes under a key; undefined if there are none or they are corrupt. */
  get(key: string): Uint8Array | undefined {
    const vector = this.#try((db) => statementsOn(db, statementsOf).find.first({ key }))?.vector;
    return vector instanceof Uint8Array ? unsealed(vector) : undefined;
  }

  /** Stores entries, and returns whether that succeeded. */
  set(entries: readonly Entry[], at: Date): boolean {
    const kept = this.#try((db) => {
      const { put } = statementsOn(db, statementsOf);
      db.transaction(() => {
        for (const { key, payload } of entries) put.run({ key, vector: sealed(payload), used_day: dayOf(at) });
      }).immediate();
      return true;
    });
    return kept === true;
  }

  touch(keys: readonly string[], at: Date): void {
    this.#try((db) => statementsOn(db, statementsOf).touch.run({ day: dayOf(at), keys: JSON.stringify(keys) }));
  }

  /** Removes entries last used before a time and, if the file is too large, the least recently used ones. */
  sweep(before: Date): void {
    if (this.#opened === undefined && !existsSync(this.#file)) return;
    this.#try((db) => {
      const { removeUnused, removeOldest } = statementsOn(db, statementsOf);
      removeUnused.run({ day: dayOf(before) });
      for (let bytes = sizeOf(db); bytes > this.#maxBytes; bytes = sizeOf(db)) {
        const excess = Math.ceil(countOf(db) * (1 - (KEPT_SHARE * this.#maxBytes) / bytes));
        if (excess === 0) break;
        removeOldest.run({ excess });
      }
      db.pragma('incremental_vacuum');
    });
  }

  /** Closes the file if it was opened. */
  close(): void {
    if (this.#opened !== undefined) this.#try((db) => db.close());
    this.#opened = undefined;
  }

  /** Runs with the open file; undefined if there is none, or on failure. */
  #try<T>(act: (db: Connection) => T): T | undefined {
    if (this.#opened === undefined) this.#opened = this.#open();
    if (this.#opened === null) return undefined;
    try {
      return act(this.#opened);
    } catch (error) {
      this.#giveUp(error);
      return undefined;
    }
  }

  #open(): Connection | null {
    try {
      return openCache(this.#file);
    } catch (error) {
      if (!isDamage(error)) return null;
    }
    removeCache(this.#file);
    try {
      return openCache(this.#file);
    } catch {
      return null;
    }
  }

  /** A busy file may be free at the next call; a damaged one is removed, and the next run creates a new one. */
  #giveUp(error: unknown): void {
    if (/^SQLITE_(?:BUSY|LOCKED)/.test(sqliteCode(error) ?? '')) return;
    this.#opened?.close();
    this.#opened = null;
    if (isDamage(error)) removeCache(this.#file);
  }
}

function statementsOf(db: Connection) {
  const cache = sqlBuilder<{ readonly embeddings: StoredVector }>();
  const stored = cache.selectFrom('embeddings');
  return {
    find: statement(db, (value: Placeholder<Pick<StoredVector, 'key'>>) =>
      stored.select('vector').where('key', '=', value('key')),
    ),
    put: statement(db, (value: Placeholder<StoredVector>) =>
      cache
        .insertInto('embeddings')
        .values(columnsOf(value, ['key', 'vector', 'used_day']))
        .onConflict((conflict) =>
          conflict.column('key').doUpdateSet({ vector: value('vector'), used_day: value('used_day') }),
        ),
    ),
    touch: statement(db, (value: Placeholder<{ readonly day: number; readonly keys: string }>) =>
      cache
        .updateTable('embeddings')
        .set({ used_day: value('day') })
        .where('used_day', '<', value('day'))
        .where('key', 'in', inList(value('keys'))),
    ),
    removeUnused: statement(db, (value: Placeholder<{ readonly day: number }>) =>
      cache.deleteFrom('embeddings').where('used_day', '<', value('day')),
    ),
    removeOldest: statement(db, (value: Placeholder<{ readonly excess: number }>) =>
      cache
        .deleteFrom('embeddings')
        .where('key', 'in', stored.select('key').orderBy('used_day').limit(value('excess'))),
    ),
    count: statement(db, () => stored.select(({ fn }) => fn.countAll<number>().as('entries'))),
  };
}

/** The size of the cache file; null if there is none that can be read. */
export function sharedEmbeddingsSize(file: string): SharedEmbeddingsSize | null {
  try {
    if (!isOwnFile(file)) return null;
    const db = new Sqlite(file, { readonly: true, timeout: BUSY_TIMEOUT_MS });
    try {
      return { entries: countOf(db), bytes: sizeOf(db) };
    } finally {
      db.close();
    }
  } catch {
    return null;
  }
}

/** Opens the file, which only its owner may read. Throws if it cannot be created, or belongs to another user. */
function openCache(file: string): Connection {
  makeFolder(dirname(file), { mode: 0o700 });
  closeSync(openSync(file, 'a', 0o600)); // SQLite creates the files beside it with the same mode
  if (!isOwnFile(file)) throw new Error(`${file} is not a file of this user`);
  chmodSync(file, 0o600);
  const db = new Sqlite(file, { timeout: BUSY_TIMEOUT_MS });
  try {
    const version = db.pragma('user_version', { simple: true });
    if (version !== 0 && version !== VERSION) throw new OtherVersion();
    // The first one only affects an empty file. A vector lost in a crash is computed again.
    db.exec('PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF');
    db.exec(TABLE);
    db.pragma(`user_version = ${VERSION}`);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

class OtherVersion extends Error {}

function isDamage(error: unknown): boolean {
  return error instanceof OtherVersion || /^SQLITE_(?:CORRUPT|NOTADB|ERROR)/.test(sqliteCode(error) ?? '');
}

function isOwnFile(file: string): boolean {
  const found = lstatSync(file, { throwIfNoEntry: false });
  return found?.isFile() === true && (process.getuid === undefined || found.uid === process.getuid());
}

/** A process that has the file open keeps using the deleted file. */
function removeCache(file: string): void {
  for (const name of [file, `${file}-wal`, `${file}-shm`])
    try {
      rmSync(name, { force: true });
    } catch {
      // a file that cannot be removed is not used either
    }
}

function countOf(db: Connection): number {
  return statementsOn(db, statementsOf).count.first({})?.entries ?? 0;
}

function sizeOf(db: Connection): number {
  const page = (name: string): number => Number(db.pragma(name, { simple: true }));
  return (page('page_count') - page('freelist_count')) * page('page_size');
}

function dayOf(at: Date): number {
  return Math.floor(at.getTime() / MS_PER_DAY);
}

/** SQLite only detects damaged pages, not damaged vectors, so each vector has the beginning of its hash. */
function sealed(payload: Uint8Array): Uint8Array {
  return Buffer.concat([checkOf(payload), payload]);
}

function unsealed(bytes: Uint8Array): Uint8Array | undefined {
  const payload = bytes.subarray(CHECK_BYTES);
  return checkOf(payload).equals(bytes.subarray(0, CHECK_BYTES)) ? payload : undefined;
}

function checkOf(payload: Uint8Array): Buffer {
  return Buffer.from(blake3Hex(payload).slice(0, CHECK_BYTES * 2), 'hex');
}
