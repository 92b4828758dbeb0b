import { rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { makeFolder } from './make-folder.ts';

const POLL_MS = 20;
/** A change of a small file takes milliseconds; who has held the lock all this time was ended in the middle of one. */
const ABANDONED_AFTER_MS = 10_000;

/**
 * Does something while no other process does it that names the same lock file. Meant for short work: a lock that stays the same
 * for ten seconds is taken over. Where no lock can be made the work is done all the same, since it will say itself what it cannot
 * write.
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

/** Identifies a lock file among those of the same name; null when it has gone. */
function identityOf(lock: string): string | null {
  const stats = statSync(lock, { throwIfNoEntry: false, bigint: true });
  return stats === undefined ? null : `${stats.ino} ${stats.mtimeNs}`;
}
