import { accessSync, constants, readdirSync, statSync, type BigIntStats, type Stats } from 'node:fs';
import { join } from 'node:path';
import type { FileStat } from '../contracts/source-connector.ts';
import { liesInside } from '../files/read-regular-file.ts';

/** A file as it is now. */
export interface LocatedFile {
  readonly path: string;
  readonly stat: FileStat;
}

/** Where a file is looked for. */
export interface Place {
  readonly root: string;
  /** Whether links may lead out of the root; otherwise what lies behind them is not there. */
  readonly linksOutside: boolean;
}

/**
 * Finds the file of a document, or null when it is not there. Paths of documents are in NFC; a file system that keeps
 * names as they were given may hold another spelling, which is looked for only when the NFC one is absent. Throws what
 * the file system throws for anything but absence.
 */
export function locateFile(place: Place, workspacePath: string): LocatedFile | null {
  const path = join(place.root, workspacePath);
  const stat = statOrNull(path);
  if (stat !== null) return located(path, stat, place);
  if (workspacePath === workspacePath.normalize('NFD')) return null;
  const spelt = otherSpelling(place.root, workspacePath);
  const found = spelt === null ? null : statOrNull(spelt);
  return spelt === null || found === null ? null : located(spelt, found, place);
}

function located(path: string, stat: BigIntStats, { root, linksOutside }: Place): LocatedFile | null {
  if (!stat.isFile() || !(linksOutside || liesInside(path, root))) return null;
  return { path, stat: { size: Number(stat.size), mtimeNs: storableNs(stat.mtimeNs) } };
}

const MAX_NS = 2n ** 63n - 1n;

/** A time in nanoseconds within what a database holds: files may claim to be from before 1677 or after 2262. */
export function storableNs(ns: bigint): bigint {
  return ns > MAX_NS ? MAX_NS : ns < -MAX_NS ? -MAX_NS : ns;
}

/** The file or directory at a path that the file system may hold in another spelling of its letters. */
export function locatePlace(root: string, workspacePath: string): Stats | null {
  const spelt = otherSpelling(root, workspacePath);
  return spelt === null ? null : (statSync(spelt, { throwIfNoEntry: false }) ?? null);
}

/** A time in nanoseconds as the number of milliseconds that `stat` gives for it, to the last bit. */
export function millisecondsOf(ns: bigint): number {
  return Number(ns / 1_000_000_000n) * 1000 + Number(ns % 1_000_000_000n) / 1e6;
}

/** Whether a folder is there. */
export function folderExists(path: string): boolean {
  return statOrNull(path)?.isDirectory() ?? false;
}

/** Whether a folder is there and can be walked. */
export function isReadableFolder(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.X_OK);
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

// Synchronous on purpose: looking up ten files takes 60 µs, and more than twice that through promises.
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

/** Whether an error of the file system says that nothing is there; links in a circle lead to nothing too. */
export function isAbsence(error: unknown): boolean {
  const code = (error as { readonly code?: unknown }).code;
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP';
}
