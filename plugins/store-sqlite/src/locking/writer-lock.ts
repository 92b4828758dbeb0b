import { readFileSync, rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { KebabError, throwIfCancelled, writeAtomically, type AbortOptions } from '@kebab/core';
import { isRunning, thisProcess, type ProcessIdentity } from './process-identity.ts';

/** How the lock is taken. */
export interface WriterLockOptions extends AbortOptions {
  /** The lock file; null when no other process can see the database. */
  readonly path: string | null;
  /** What is locked, for messages. */
  readonly location: string;
  /** How long another writer may take to finish. */
  readonly waitMs: number;
  /** Whether this process writes already. */
  readonly isHeldHere: () => boolean;
  /** Runs the step that takes the lock while no other process runs it; should the process end in it, so does that. */
  readonly exclusively: (take: () => boolean) => boolean;
}

const POLL_MS = 50;

/**
 * The right to be the one writer of a database: a file that names the process. The lock of a process that has ended is
 * taken over; only one process at a time looks and takes, so that two can never take over the same one.
 */
export class WriterLock {
  readonly #path: string | null;

  private constructor(path: string | null) {
    this.#path = path;
  }

  /** Throws `locked` when another writer has not finished in time, `cancelled` when the signal fires. */
  static async acquire(options: WriterLockOptions): Promise<WriterLock> {
    const { path, waitMs, signal } = options;
    for (let waitedMs = 0; ; waitedMs += POLL_MS) {
      throwIfCancelled(signal, 'waiting for the other writer');
      if (!isTaken(options) && options.exclusively(() => take(options))) return new WriterLock(path);
      if (waitedMs >= waitMs) throw locked(options);
      // An abort ends the wait; the next round reports it.
      await delay(Math.min(POLL_MS, waitMs - waitedMs), undefined, signal && { signal }).catch(() => {});
    }
  }

  /** Lets the next writer in. */
  release(): void {
    if (this.#path !== null && isSame(readHolder(this.#path), thisProcess())) rmSync(this.#path, { force: true });
  }
}

function isTaken({ path, isHeldHere }: WriterLockOptions): boolean {
  if (isHeldHere()) return true;
  const holder = path === null ? null : readHolder(path);
  return holder !== null && isRunning(holder);
}

/** Looks again, then puts the whole file in place. */
function take(options: WriterLockOptions): boolean {
  if (isTaken(options)) return false;
  if (options.path === null) return true;
  writeAtomically(options.path, `${JSON.stringify(thisProcess())}\n`, { flush: false });
  return true;
}

function readHolder(path: string): ProcessIdentity | null {
  try {
    const holder = JSON.parse(readFileSync(path, 'utf8')) as Partial<ProcessIdentity> | number | null;
    if (typeof holder === 'number') return { pid: holder, started: null };
    return typeof holder?.pid === 'number' ? { pid: holder.pid, started: holder.started ?? null } : null;
  } catch {
    return null; // no file, or one that no writer of ours left: writers put it in place whole
  }
}

function isSame(a: ProcessIdentity | null, b: ProcessIdentity): boolean {
  return a !== null && a.pid === b.pid && a.started === b.started;
}

function locked({ path, location, isHeldHere }: WriterLockOptions): KebabError<'locked'> {
  const pid = isHeldHere() ? process.pid : ((path === null ? null : readHolder(path)?.pid) ?? null);
  return new KebabError(
    'locked',
    `${location} is being written by ${pid === null ? 'another process' : `process ${pid}`}`,
    {
      details: { path: path ?? location, pid },
    },
  );
}
