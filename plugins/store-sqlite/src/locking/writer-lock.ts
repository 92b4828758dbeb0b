import { accessSync, constants, readFileSync, rmSync, statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { KebabError, throwIfCancelled, writeAtomically, type AbortOptions } from '@kebab/core';
import { lockedBy, thisHolder, type WriterHolder } from '@kebab/store-kit';
import type { Database as Connection } from 'better-sqlite3';
import { sqliteCode, storeFailure } from '../database/store-failure.ts';

/** How to acquire the lock. */
export interface WriterLockOptions extends AbortOptions {
  /** The file that names the holder of the lock; null if no other process can see the database. */
  readonly path: string | null;
  /** The locked database, for messages. */
  readonly location: string;
  /** How long to wait for another writer. */
  readonly waitMs: number;
  /** Whether the same store already has a writer. */
  readonly here: { isHeld: boolean };
}

type Sqlite = typeof import('better-sqlite3');

const POLL_MS = 50;

/**
 * The lock of a database's single writer: an exclusive transaction on an empty database beside the file `path`. It ends with its process,
 * however that ends, and works between processes that cannot see each other, as in containers on one volume. The file itself names the
 * holder, only for messages.
 */
export class WriterLock {
  readonly #options: WriterLockOptions;
  readonly #held: Connection | null;
  #isReleased = false;

  private constructor(options: WriterLockOptions, held: Connection | null) {
    this.#options = options;
    this.#held = held;
  }

  /**
   * Throws `locked` if another writer has not finished in time, `cancelled` if the signal fires, and immediately `io_error` if the files of
   * the lock cannot be used.
   */
  static async acquire(options: WriterLockOptions): Promise<WriterLock> {
    const { path, waitMs, signal, here } = options;
    const { default: sqlite } = await import('better-sqlite3');
    for (let waitedMs = 0; ; waitedMs += POLL_MS) {
      throwIfCancelled(signal, 'waiting for the other writer');
      const held = here.isHeld ? 'taken' : path === null ? null : take(sqlite, path);
      if (held !== 'taken') {
        here.isHeld = true;
        return new WriterLock(options, held);
      }
      if (waitedMs >= waitMs) throw locked(options);
      // An abort ends the wait; the next iteration reports it.
      await delay(Math.min(POLL_MS, waitMs - waitedMs), undefined, signal && { signal }).catch(() => {});
    }
  }

  /** Releases the lock. The empty database stays: if it were removed, two processes could lock two files of the same name. */
  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    const { path, here } = this.#options;
    if (path !== null) rmSync(path, { force: true });
    this.#held?.close();
    here.isHeld = false;
  }
}

/** The file that the operating system locks. */
function lockedFile(path: string): string {
  return `${path}.sqlite`;
}

function take(sqlite: Sqlite, path: string): Connection | 'taken' {
  const file = lockedFile(path);
  refuseUnusable(path);
  refuseUnusable(file);
  let db: Connection | undefined;
  try {
    db = new sqlite(file, { timeout: 0 });
    db.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    recordHolder(path);
    return db;
  } catch (error) {
    db?.close();
    const code = sqliteCode(error) ?? '';
    if (/^SQLITE_(?:BUSY|LOCKED)/.test(code)) return 'taken';
    if (code === 'SQLITE_NOTADB') throw unusable(file, code, 'a file of something else');
    throw storeFailure(error, file) satisfies unknown;
  }
}

/** Records the process that holds the lock. On a full disk it stays unrecorded, because it may be a reset that frees space. */
function recordHolder(path: string): void {
  try {
    writeAtomically(path, `${JSON.stringify(thisHolder())}\n`, { flush: false });
  } catch (error) {
    if (!['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

/** Rejects anything but a writable file before opening it, which could block forever. */
function refuseUnusable(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (!stats.isFile())
    throw unusable(
      path,
      stats.isDirectory() ? 'EISDIR' : 'ENXIO',
      stats.isDirectory() ? 'a folder' : 'no regular file',
    );
  try {
    accessSync(path, constants.W_OK);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'EACCES';
    // The writer that held the lock has just released it.
    if (code === 'ENOENT') return;
    throw unusable(path, code, 'a file that cannot be written');
  }
}

function unusable(path: string, kind: string, what: string): KebabError<'io_error'> {
  return new KebabError('io_error', `${path}: the lock of the one writer is ${what}`, {
    details: { kind, path, cause: `it is ${what}` },
    hint: kind === 'EROFS' ? 'the file system is mounted read-only' : `remove ${path}, then run the command again`,
  });
}

/** The holder named in the file; null if it cannot be read. */
function readHolder(path: string): WriterHolder | null {
  try {
    const holder = JSON.parse(readFileSync(path, 'utf8')) as Partial<WriterHolder> | null;
    return Number.isInteger(holder?.pid) ? (holder as WriterHolder) : null;
  } catch {
    return null;
  }
}

function locked({ path, location, here }: WriterLockOptions): KebabError<'locked'> {
  const holder = here.isHeld ? { pid: process.pid } : path === null ? null : readHolder(path);
  return lockedBy(location, holder, path ?? location);
}
