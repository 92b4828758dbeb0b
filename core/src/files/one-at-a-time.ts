import {
  closeSync,
  linkSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isRunning } from './is-running.ts';
import { makeFolder } from './write-atomically.ts';

const POLL_MS = 20;
/** Changing a small file takes milliseconds; a process that held the lock this long was killed half-way. */
const ABANDONED_AFTER_MS = 10_000;

/**
 * Runs a function while no other process runs one under the same lock file. Meant for short work: a lock whose process has ended is taken
 * over at once, and one that is unchanged for ten seconds in any case, because its process cannot be seen from another computer or
 * container, and its number may have gone to another process. Where no lock can be created the work runs anyway, since it reports itself
 * what it cannot write.
 */
export async function oneAtATime<T>(lock: string, work: () => Promise<T>): Promise<T> {
  const own = await take(lock);
  try {
    return await work();
  } finally {
    if (own !== null && identityOf(lock) === own) rmSync(lock, { force: true });
  }
}

/** Creates the lock and returns its identity; null where none can be created. */
async function take(lock: string): Promise<string | null> {
  let seen: string | null = null;
  for (let waitedMs = 0; ; waitedMs += POLL_MS) {
    try {
      makeFolder(path.dirname(lock));
      return create(lock);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return null;
    }
    const holder = identityOf(lock);
    if (holder !== seen) waitedMs = 0;
    seen = holder;
    if (holder === null || (waitedMs < ABANDONED_AFTER_MS && !hasEnded(lock))) await delay(POLL_MS);
    else if (!removeAbandoned(lock, holder)) return null;
  }
}

/** Throws `EEXIST` for an existing lock. On a full disk the lock names no process, but is one. */
function create(lock: string): string | null {
  const handle = openSync(lock, 'wx');
  try {
    writeSync(handle, `${process.pid} ${processSpace()}\n`);
  } catch {
    // Others wait longer for it if this process is killed.
  }
  closeSync(handle);
  return identityOf(lock);
}

/** Distinguishes a lock file from others of the same name; null when it is gone. */
function identityOf(lock: string): string | null {
  const stats = statSync(lock, { throwIfNoEntry: false, bigint: true });
  return stats === undefined ? null : `${stats.ino} ${stats.mtimeNs}`;
}

/** Whether the process named in a lock is known to have ended: it counts in the same process numbers as this one, and is not among them. */
function hasEnded(lock: string): boolean {
  try {
    const [, pid, space] = /^(\d+) (.+)\n$/.exec(readFileSync(lock, 'utf8')) ?? [];
    return pid !== undefined && space === processSpace() && !isRunning(Number(pid));
  } catch {
    return false; // the lock is gone, or unreadable
  }
}

/**
 * Names the processes whose numbers mean the same as here. On Linux those are the ones of one PID namespace since the system was started:
 * containers can share a host name, and a folder, but not these. Elsewhere it is the host name.
 */
function processSpace(): string {
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

/**
 * Removes a lock, but not the one that another process has put in its place since: moved aside first, it can be put back. False where it
 * cannot be removed, as on a read-only file system.
 */
function removeAbandoned(lock: string, identity: string): boolean {
  const aside = `${lock}.${crypto.randomUUID()}`;
  try {
    renameSync(lock, aside);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT'; // another process was faster
  }
  try {
    if (identityOf(aside) !== identity) linkSync(aside, lock);
  } catch {
    // There is a newer one already.
  }
  rmSync(aside, { force: true });
  return true;
}
