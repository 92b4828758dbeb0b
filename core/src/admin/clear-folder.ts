import { lstatSync, readdirSync, rmdirSync, unlinkSync } from 'node:fs';
import path from 'node:path';
import { FOLDER_MARK, isOwnFolder } from '../files/own-folder.ts';
import { isDraftName } from '../files/write-atomically.ts';
import type { FolderToClear } from './plan-reset.ts';

/** What became of a folder. A path of a folder ends in `/`. */
export interface Cleared {
  readonly removed: readonly string[];
  /** What stays because nothing says that kebab made it. */
  readonly left: readonly string[];
}

/**
 * Removes what kebab made in a folder that it filled, then what became empty of it. Any other folder stays as it is. Links are
 * never followed, and a missing folder is an empty one.
 */
export function clearFolder(folder: FolderToClear): Cleared {
  const isMarked = isOwnFolder(folder.path);
  const isLink = lstatSync(folder.path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  if (!isMarked && (!folder.known || isLink))
    return { removed: [], left: entriesOf(folder.path).length > 0 ? [`${folder.path}/`] : [] };
  const removed = clearBelow(folder, '');
  if (isMarked && entriesOf(folder.path).length === 1) removed.push(unlinked(path.join(folder.path, FOLDER_MARK)));
  return { removed: folder.own ? [...removed, ...removeIfEmpty(folder.path)] : removed, left: [] };
}

/** Removes a folder if it is there and empty, and tells its path with a `/` at the end. */
export function removeIfEmpty(folder: string): readonly string[] {
  try {
    rmdirSync(folder);
    return [`${folder}/`];
  } catch (error) {
    if (['ENOENT', 'ENOTEMPTY', 'EEXIST', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}

/** What lies in a folder; nothing in one that is missing. */
export function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function clearBelow(folder: FolderToClear, prefix: string): string[] {
  const removed: string[] = [];
  for (const entry of entriesOf(path.join(folder.path, prefix))) {
    const name = `${prefix}${entry.name}`;
    const full = path.join(folder.path, name);
    if (entry.isDirectory()) {
      removed.push(...clearBelow(folder, `${name}/`));
      if (folder.folders.test(name)) removed.push(...removeIfEmpty(full));
    } else if (entry.isFile() && (folder.files.test(name) || isDraftName(entry.name))) removed.push(unlinked(full));
  }
  return removed;
}

function unlinked(file: string): string {
  unlinkSync(file);
  return file;
}
