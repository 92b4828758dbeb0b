import { accessSync, constants, lstatSync, statSync } from 'node:fs';
import type { SeenChanges, SeenPlace } from '../../contracts/seen-places.ts';
import { isAbsence, locateFile, locatePlace, millisecondsOf, type Place } from '../../documents/locate-file.ts';

/**
 * A place that changed this short a time before it was looked at may have changed again without a new time: clocks of file systems
 * go on in ticks of up to 10 ms, some in whole seconds.
 */
const TICK_MS = 20;
const COARSE_TICK_MS = 2000;

/** The names of ignore files. */
const RULES: ReadonlySet<string> = new Set(['.gitignore', '.kebabignore']);

/** The size that is recorded of what is not there, such as the file that a broken link leads to. */
export const ABSENT = -1;

/** The time that is recorded of what could not be read: it is another as soon as it can be. */
const UNREADABLE_MS = -2;

/** What is on record of a path, by what a look at it gave. */
export function seenPlace(
  path: string,
  kind: SeenPlace['kind'],
  found: { readonly size: number; readonly mtimeMs: number; readonly lookedAtMs: number },
): SeenPlace {
  const { mtimeMs, lookedAtMs } = found;
  const tick = mtimeMs % 1000 === 0 ? COARSE_TICK_MS : TICK_MS;
  const isSettled = Math.abs(lookedAtMs - mtimeMs) >= tick;
  return {
    path,
    kind: kind !== 'directory' && isRules(path) ? 'rules' : kind,
    size: found.size,
    mtimeMs: isSettled ? mtimeMs : -1,
  };
}

/** The same of a directory, from its path in a walk, which ends with a slash. */
export function seenDirectory(
  root: string,
  path: string,
  { mtimeMs, lookedAtMs }: { readonly mtimeMs: number; readonly lookedAtMs: number },
): SeenPlace {
  const isLink = path !== '' && lstatSync(`${root}/${path.slice(0, -1)}`, { throwIfNoEntry: false })?.isSymbolicLink();
  return seenPlace(path.slice(0, -1), 'directory', { size: isLink === true ? 1 : 0, mtimeMs, lookedAtMs });
}

/** What is on record of a file by its time in nanoseconds. */
export function seenFile(
  { workspacePath, size, mtimeNs }: { readonly workspacePath: string; readonly size: number; readonly mtimeNs: bigint },
  kind: 'file' | 'other',
  lookedAtMs: number,
): SeenPlace {
  return seenPlace(workspacePath, kind, { size, mtimeMs: millisecondsOf(mtimeNs), lookedAtMs });
}

/** The same of a path that a walk gives no file for: an ignore file, or one that is not there. Null for one that is of no interest. */
export function seenBeside(root: string, path: string, lookedAtMs: number): SeenPlace | null {
  const stat = statOf(root, path);
  if (stat === null) return { path, kind: isRules(path) ? 'rules' : 'file', size: ABSENT, mtimeMs: 0 };
  if (!isRules(path) || !stat.isFile()) return null;
  return seenPlace(path, 'rules', { size: stat.size, mtimeMs: stat.mtimeMs, lookedAtMs });
}

/**
 * What is on record of a file that is gone while a link to it stays: the directory of the link does not change when the file comes
 * back. Nothing where no such link is.
 */
export function seenBrokenLink(root: string, path: string): readonly SeenPlace[] {
  try {
    if (!lstatSync(`${root}/${path}`).isSymbolicLink()) return [];
  } catch {
    return [];
  }
  return [{ path, kind: isRules(path) ? 'rules' : 'file', size: ABSENT, mtimeMs: 0 }];
}

/** What is on record of a file whose document stays although no walk comes to it: it is watched for being there, and not read. */
export function leftOut(path: string): SeenPlace {
  return { path, kind: 'left_out', size: ABSENT, mtimeMs: -1 };
}

/** What is on record of a place that was seen and then could not be read, so that later looks find when it can be. */
export function seenUnreadable(root: string, place: SeenPlace): SeenPlace {
  return canBeRead(root, place) ? place : { ...place, mtimeMs: UNREADABLE_MS };
}

/** Whether a place is on record as unreadable and still is. Sizes and times of files and directories can change without that. */
export function isStillUnreadable(root: string, place: SeenPlace): boolean {
  return place.mtimeMs === UNREADABLE_MS && !canBeRead(root, place);
}

function canBeRead(root: string, { path, kind }: SeenPlace): boolean {
  try {
    accessSync(`${root}/${path}`, kind === 'directory' ? constants.R_OK | constants.X_OK : constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whether a file is there, or lies in a directory that cannot be looked into: only what is absent for certain is gone. */
export function mayBeThere(place: Place, path: string): boolean {
  try {
    return locateFile(place, path) !== null;
  } catch {
    return true;
  }
}

/** Whether the directory of a place cannot be looked into, so that nothing is known of the place. */
export function isOutOfReach(root: string, path: string): boolean {
  try {
    statSync(`${root}/${path}`, { throwIfNoEntry: false });
    return false;
  } catch (error) {
    return !isAbsence(error);
  }
}

/** Whether a path is that of an ignore file. */
export function isRules(path: string): boolean {
  return RULES.has(path.slice(path.lastIndexOf('/') + 1));
}

/** The path of the directory that a place lies in; empty for the root, undefined for the root itself. */
export function parentOf(path: string): string | undefined {
  if (path === '') return undefined;
  const slash = path.lastIndexOf('/');
  return slash === -1 ? '' : path.slice(0, slash);
}

/** The file or directory at a path inside a folder as it is now; null when there is none that can be looked at. */
export function statOf(
  root: string,
  path: string,
): { isFile(): boolean; isDirectory(): boolean; size: number; mtimeMs: number } | null {
  try {
    const stat = statSync(path === '' ? root : `${root}/${path}`, { throwIfNoEntry: false });
    return stat ?? (/[^\0-\x7f]/.test(path) ? locatePlace(root, path) : null);
  } catch {
    return null;
  }
}

/** What has to be written so that the record of a source says what is seen now. */
export function changesBetween(before: readonly SeenPlace[], now: readonly SeenPlace[]): SeenChanges {
  const known = new Map<string, SeenPlace>();
  for (const place of before) known.set(place.path, place);
  const put: SeenPlace[] = [];
  for (const place of now) {
    const { path, kind, size, mtimeMs } = place;
    const old = known.get(path);
    known.delete(path);
    if (old === undefined || old.kind !== kind || old.size !== size || old.mtimeMs !== mtimeMs) put.push(place);
  }
  return { put, remove: [...known.keys()] };
}
