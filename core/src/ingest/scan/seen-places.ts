import { accessSync, constants, lstatSync, statSync } from 'node:fs';
import type { SeenChanges, SeenPlace } from '../../contracts/seen-places.ts';
import { isAbsence, locateFile, locatePlace, millisecondsOf, type Place } from '../../documents/locate-file.ts';

/**
 * A place that changed within this time before it was checked may have changed again without a new timestamp: file system clocks advance in
 * steps of up to 10 ms, some in whole seconds.
 */
const TICK_MS = 20;
const COARSE_TICK_MS = 2000;

/** The names of ignore files. */
const RULES: ReadonlySet<string> = new Set(['.gitignore', '.kebabignore']);

/** The recorded size of a missing file, such as the target of a broken link. */
export const ABSENT = -1;

/** The recorded time of an unreadable place: it differs as soon as the place becomes readable. */
const UNREADABLE_MS = -2;

/** The record of a path, from the result of a stat. */
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

/** The record of a directory, from its path in a walk, which ends with a slash. */
export function seenDirectory(
  root: string,
  path: string,
  { mtimeMs, lookedAtMs }: { readonly mtimeMs: number; readonly lookedAtMs: number },
): SeenPlace {
  const isLink = path !== '' && lstatSync(`${root}/${path.slice(0, -1)}`, { throwIfNoEntry: false })?.isSymbolicLink();
  return seenPlace(path.slice(0, -1), 'directory', { size: isLink === true ? 1 : 0, mtimeMs, lookedAtMs });
}

/** The record of a file, from its time in nanoseconds. */
export function seenFile(
  { workspacePath, size, mtimeNs }: { readonly workspacePath: string; readonly size: number; readonly mtimeNs: bigint },
  kind: 'file' | 'other',
  lookedAtMs: number,
): SeenPlace {
  return seenPlace(workspacePath, kind, { size, mtimeMs: millisecondsOf(mtimeNs), lookedAtMs });
}

/** The record of a path for which a walk yields no file: an ignore file, or a missing one. Null if it is irrelevant. */
export function seenBeside(root: string, path: string, lookedAtMs: number): SeenPlace | null {
  const stat = statOf(root, path);
  if (stat === null) return { path, kind: isRules(path) ? 'rules' : 'file', size: ABSENT, mtimeMs: 0 };
  if (!isRules(path) || !stat.isFile()) return null;
  return seenPlace(path, 'rules', { size: stat.size, mtimeMs: stat.mtimeMs, lookedAtMs });
}

/**
 * The record of a missing file that a link still points to: the directory of the link does not change when the file comes back. Empty when
 * there is no such link.
 */
export function seenBrokenLink(root: string, path: string): readonly SeenPlace[] {
  try {
    if (!lstatSync(`${root}/${path}`).isSymbolicLink()) return [];
  } catch {
    return [];
  }
  return [{ path, kind: isRules(path) ? 'rules' : 'file', size: ABSENT, mtimeMs: 0 }];
}

/** The record of a file whose document is kept although no walk includes it: it is checked for existence, but not read. */
export function leftOut(path: string): SeenPlace {
  return { path, kind: 'left_out', size: ABSENT, mtimeMs: -1 };
}

/** The record of a place that was seen and then became unreadable, so that later checks notice when it can be read again. */
export function seenUnreadable(root: string, place: SeenPlace): SeenPlace {
  return canBeRead(root, place) ? place : { ...place, mtimeMs: UNREADABLE_MS };
}

/** Whether a place is recorded as unreadable and still is. Sizes and times of files and directories can change regardless. */
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

/** Whether a file exists, or is in a directory that cannot be accessed: a file is gone only if that is certain. */
export function mayBeThere(place: Place, path: string): boolean {
  try {
    return locateFile(place, path) !== null;
  } catch {
    return true;
  }
}

/** Whether the directory of a place cannot be accessed, so that the state of the place is unknown. */
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

/** The path of a place's directory; empty for the root, undefined for the root itself. */
export function parentOf(path: string): string | undefined {
  if (path === '') return undefined;
  const slash = path.lastIndexOf('/');
  return slash === -1 ? '' : path.slice(0, slash);
}

/** The stat of a path inside a folder; null when nothing accessible exists there. */
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

/** The changes that update the record of a source to what is seen now. */
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
