import { closeSync, linkSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { makeFolder } from './write-atomically.ts';

const POLL_MS = 20;
/** Changing a small file takes milliseconds; a process that held the lock this long was killed half-way. */
const ABANDONED_AFTER_MS = 10_000;

/**
 * Runs a function while no other process runs one under the same lock file. Meant for short work: a lock that is unchanged for
 * `abandonedAfterMs` is taken over. Where no lock can be created the work runs anyway, since it reports itself what it cannot write.
 */
export async function oneAtATime<T>(
  lock: string,
  work: () => Promise<T>,
  abandonedAfterMs = ABANDONED_AFTER_MS,
): Promise<T> {
  const own = await take(lock, abandonedAfterMs);
  try {
    return await work();
  } finally {
    if (own !== null && identityOf(lock) === own) rmSync(lock, { force: true });
  }
}

/** Creates the lock and returns its identity; null where none can be created. */
async function take(lock: string, abandonedAfterMs: number): Promise<string | null> {
  let seen: string | null = null;
  for (let waitedMs = 0; ; waitedMs += POLL_MS) {
    try {
      makeFolder(path.dirname(lock));
      closeSync(openSync(lock, 'wx'));
      return identityOf(lock);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return null;
    }
    const holder = identityOf(lock);
    if (holder !== seen) waitedMs = 0;
    seen = holder;
    if (holder === null || waitedMs < abandonedAfterMs) await delay(POLL_MS);
    else if (!removeAbandoned(lock, holder)) return null;
  }
}

/** Distinguishes a lock file from others of the same name; null when it is gone. */
function identityOf(lock: string): string | null {
  const stats = statSync(lock, { throwIfNoEntry: false, bigint: true });
  return stats === undefined ? null : `${stats.ino} ${stats.mtimeNs}`;
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
