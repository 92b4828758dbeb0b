import { accessSync, constants, readdirSync, statSync, type BigIntStats, type Stats } from 'node:fs';
import { join } from 'node:path';
import type { FileStat } from '../contracts/source-connector.ts';
import { liesInside } from '../files/read-regular-file.ts';

/** The current state of a file. */
export interface LocatedFile {
  readonly path: string;
  readonly stat: FileStat;
}

/** A folder in which to look up files. */
export interface Place {
  readonly root: string;
  /** Whether links may lead out of the root; otherwise their targets count as missing. */
  readonly linksOutside: boolean;
}

/**
 * Finds the file of a document, or null when it does not exist. Document paths are in NFC; a file system that preserves names as given may
 * contain another normalisation form, which is searched for only when the NFC one is missing. Throws any file system error except absence.
 */
export function locateFile(place: Place, workspacePath: string): LocatedFile | null {
  const path = join(place.root, workspacePath);
  const stat = statOrNull(path);
  if (stat !== null) return located(path, stat, place);
  if (workspacePath === workspacePath.normalize('NFD')) return null;
  const spelt = otherSpelling(place.root, workspacePath);
  const stats = spelt === null ? null : statOrNull(spelt);
  return spelt === null || stats === null ? null : located(spelt, stats, place);
}

function located(path: string, stat: BigIntStats, { root, linksOutside }: Place): LocatedFile | null {
  if (!stat.isFile() || !(linksOutside || liesInside(path, root))) return null;
  return { path, stat: { size: Number(stat.size), mtimeNs: storableNs(stat.mtimeNs) } };
}

const MAX_NS = 2n ** 63n - 1n;

/** Clamps a time in nanoseconds to the range of the database: files may claim to be from before 1677 or after 2262. */
export function storableNs(ns: bigint): bigint {
  return ns > MAX_NS ? MAX_NS : ns < -MAX_NS ? -MAX_NS : ns;
}

/** The file or directory at a path whose name may be stored in another normalisation form. */
export function locatePlace(root: string, workspacePath: string): Stats | null {
  const spelt = otherSpelling(root, workspacePath);
  return spelt === null ? null : (statSync(spelt, { throwIfNoEntry: false }) ?? null);
}

/** Converts nanoseconds to exactly the number of milliseconds that `stat` reports. */
export function millisecondsOf(ns: bigint): number {
  return Number(ns / 1_000_000_000n) * 1000 + Number(ns % 1_000_000_000n) / 1e6;
}

/** Whether a folder exists. */
export function folderExists(path: string): boolean {
  return statOrNull(path)?.isDirectory() ?? false;
}

/** Whether a folder exists and can be listed. */
export function isReadableFolder(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.X_OK);
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

// Deliberately synchronous: checking ten files takes 60 µs, and more than twice that through promises.
function statOrNull(path: string): BigIntStats | null {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false }) ?? null;
  } catch (error) {
    if (isAbsence(error)) return null;
    throw error;
  }
}

function otherSpelling(root: string, workspacePath: string): string | null {
  let folder = root;
  for (const segment of workspacePath.split('/')) {
    const name = names(folder).find((candidate) => candidate === segment || candidate.normalize('NFC') === segment);
    if (name === undefined) return null;
    folder = join(folder, name);
  }
  return folder;
}

function names(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isAbsence(error)) return [];
    throw error;
  }
}

/** Whether a file system error means that nothing exists; a link loop counts as well. */
export function isAbsence(error: unknown): boolean {
  const code = (error as { readonly code?: unknown }).code;
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP';
}
