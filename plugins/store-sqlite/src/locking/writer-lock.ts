import { accessSync, constants, readFileSync, rmSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { KebabError, throwIfCancelled, writeAtomically, type AbortOptions } from '@kebab/core';
import type { Database as Connection } from 'better-sqlite3';
import { sqliteCode, storeFailure } from '../database/store-failure.ts';

/** How the lock is taken. */
export interface WriterLockOptions extends AbortOptions {
  /** The file that says who holds the lock; null when no other process can see the database. */
  readonly path: string | null;
  /** What is locked, for messages. */
  readonly location: string;
  /** How long another writer may take to finish. */
  readonly waitMs: number;
  /** Whether the same store has a writer already. */
  readonly here: { isHeld: boolean };
}

type Sqlite = typeof import('better-sqlite3');

const POLL_MS = 50;

/**
 * The right to be the one writer of a database. The file system holds it: an exclusive transaction on an empty database beside
 * the file `path`, which ends with its process, however that ends, and which processes see that know nothing of each other, as in
 * containers over one volume. The file itself names the holder, for messages alone.
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
   * Throws `locked` when another writer has not finished in time, `cancelled` when the signal fires, and at once `io_error` where
   * the files of the lock cannot be used.
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
      // An abort ends the wait; the next round reports it.
      await delay(Math.min(POLL_MS, waitMs - waitedMs), undefined, signal && { signal }).catch(() => {});
    }
  }

  /** Lets the next writer in. The empty database stays: were it removed, two processes could hold two files of one name. */
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
    nameHolder(path);
    return db;
  } catch (error) {
    db?.close();
    const code = sqliteCode(error) ?? '';
    if (/^SQLITE_(?:BUSY|LOCKED)/.test(code)) return 'taken';
    if (code === 'SQLITE_NOTADB') throw unusable(file, code, 'a file of something else');
    throw storeFailure(error, file) satisfies unknown;
  }
}

/** On a full disk a writer stays nameless: it may be the one that makes room. */
function nameHolder(path: string): void {
  try {
    writeAtomically(path, `${JSON.stringify(thisHolder())}\n`, { flush: false });
  } catch (error) {
    if (!['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

/** What is not a file that can be written is refused before it is opened, which might wait for ever. */
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
    throw unusable(path, (error as NodeJS.ErrnoException).code ?? 'EACCES', 'a file that cannot be written');
  }
}

function unusable(path: string, kind: string, what: string): KebabError<'io_error'> {
  return new KebabError('io_error', `${path}: the lock of the one writer is ${what}`, {
    details: { kind, path, cause: `it is ${what}` },
    hint: kind === 'EROFS' ? 'the file system is mounted read-only' : `remove ${path}, then run the command again`,
  });
}

/** Who holds the lock, as others read it; versions that looked at processes understand `pid`. */
interface Holder {
  readonly pid: number;
  readonly host?: string | undefined;
  readonly since?: string | undefined;
  readonly command?: string | undefined;
}

function thisHolder(): Holder {
  const [, , verb = ''] = process.argv;
  const command = /^[a-z][a-z-]{0,30}$/.test(verb) ? `kebab ${verb}` : undefined;
  return { pid: process.pid, host: hostname(), since: new Date().toISOString(), command };
}

/** Who is said to hold the lock; null when nothing can be read of it. */
function readHolder(path: string): Holder | null {
  try {
    const holder = JSON.parse(readFileSync(path, 'utf8')) as Partial<Holder> | null;
    return Number.isInteger(holder?.pid) ? (holder as Holder) : null;
  } catch {
    return null;
  }
}

function locked({ path, location, here }: WriterLockOptions): KebabError<'locked'> {
  const holder = here.isHeld ? { pid: process.pid } : path === null ? null : readHolder(path);
  return new KebabError('locked', `${location} is being written by ${describe(holder)}`, {
    details: { path: path ?? location, pid: holder?.pid ?? null },
  });
}

function describe(holder: Holder | null): string {
  if (holder === null) return 'another process';
  const { pid, host, since, command } = holder;
  const place = typeof host === 'string' && host !== hostname() ? ` on ${host}` : '';
  const name = typeof command === 'string' ? ` (${command})` : '';
  const time = typeof since === 'string' ? `, since ${since}` : '';
  return `process ${pid}${name}${place}${time}`;
}
