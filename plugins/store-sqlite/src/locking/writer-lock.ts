import { readFileSync, rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { KebabError, throwIfCancelled, writeAtomically, type AbortOptions } from '@kebab/core';

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

/** A process, and when it started where that can be told: a number alone is given to another process sooner or later. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Clock ticks since the machine started, as Linux tells them; null elsewhere. */
  readonly started: string | null;
}

/** This process. */
export function thisProcess(): ProcessIdentity {
  return { pid: process.pid, started: processState(process.pid)?.started ?? null };
}

/** Whether a process has not ended. Where its start cannot be told, any process with its number counts. */
export function isRunning({ pid, started }: ProcessIdentity): boolean {
  if (!exists(pid)) return false;
  const state = processState(pid);
  if (state === null) return true;
  const hasEnded = state.code === 'Z' || state.code === 'X';
  return !hasEnded && (started === null || started === state.started);
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function processState(pid: number): { readonly code: string; readonly started: string } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the name in parentheses, which may hold anything; the state is the third, the start the 22nd.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [code, started] = [fields[0], fields[19]];
    return code === undefined || started === undefined ? null : { code, started };
  } catch {
    return null;
  }
}
