import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { oneAtATime } from '../files/one-at-a-time.ts';
import { makeServiceFolder, type ServicePlace } from './service-place.ts';

/** The current time, for the variable `KEBAB_SERVICE_ASKED`. */
export function askedNow(): string {
  return String(process.hrtime.bigint());
}

/**
 * Marks the services of an address as stopped: one that was asked for before now but does not listen yet cannot be told to end. Nothing is
 * marked where the folder cannot be written, because no service can listen there either.
 */
export async function markStopped(place: ServicePlace): Promise<void> {
  try {
    makeServiceFolder(place.folder);
    await whileNoneStarts(place, async () =>
      writeFileSync(markOf(place), `${process.hrtime.bigint()}\n`, { mode: 0o600 }),
    );
  } catch {
    // see above
  }
}

/** Runs a function while no other process starts or stops a service of this address. */
export function whileNoneStarts<T>({ folder, name }: ServicePlace, work: () => Promise<T>): Promise<T> {
  return oneAtATime(`${folder}/${name}.start`, work);
}

/** Whether the services of an address have been stopped since one was asked for. A mark from before a restart of the system counts for nothing. */
export function isStoppedSince(asked: string | undefined, place: ServicePlace): boolean {
  if (asked === undefined || !/^\d+$/.test(asked)) return false;
  const stopped = markIn(markOf(place));
  return stopped !== null && stopped > BigInt(asked) && stopped <= process.hrtime.bigint();
}

/** Removes the mark: a service that listens can be told to end. */
export function removeMark(place: ServicePlace): void {
  rmSync(markOf(place), { force: true });
}

function markOf({ folder, name }: ServicePlace): string {
  return `${folder}/${name}.stopped`;
}

function markIn(file: string): bigint | null {
  try {
    return BigInt(readFileSync(file, 'utf8').trim());
  } catch {
    return null; // there is none, or it is no number
  }
}
