import { rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { makeFolder } from './make-folder.ts';

const POLL_MS = 20;
/** Changing a small file takes milliseconds; a process that held the lock this long was killed half-way. */
const ABANDONED_AFTER_MS = 10_000;

/**
 * Runs a function while no other process runs one under the same lock file. Meant for short work: a lock that is unchanged for ten seconds
 * is taken over. Where no lock can be created the work runs anyway, since it reports itself what it cannot write.
 */
export async function oneAtATime<T>(lock: string, work: () => Promise<T>): Promise<T> {
  const isLocked = await take(lock);
  try {
    return await work();
  } finally {
    if (isLocked) rmSync(lock, { force: true });
  }
}

async function take(lock: string): Promise<boolean> {
  let seen: string | null = null;
  for (let waitedMs = 0; ; waitedMs += POLL_MS) {
    try {
      makeFolder(path.dirname(lock));
      writeFileSync(lock, `${process.pid}\n`, { flag: 'wx' });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false;
    }
    const holder = identityOf(lock);
    if (holder !== seen) waitedMs = 0;
    seen = holder;
    if (waitedMs >= ABANDONED_AFTER_MS) rmSync(lock, { force: true });
    else await delay(POLL_MS);
  }
}

/** Distinguishes a lock file from others of the same name; null when it is gone. */
function identityOf(lock: string): string | null {
  const stats = statSync(lock, { throwIfNoEntry: false, bigint: true });
  return stats === undefined ? null : `${stats.ino} ${stats.mtimeNs}`;
}
