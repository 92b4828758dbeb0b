import { readdirSync, rmdirSync, unlinkSync } from 'node:fs';
import path from 'node:path';
import type { FolderToClear } from './plan-reset.ts';

/**
 * Removes what kebab made in a folder, then what became empty of it, and tells the paths; a folder ends in `/`. Links are
 * never followed, and a missing folder is an empty one.
 */
export function clearFolder(folder: FolderToClear): readonly string[] {
  const removed = clearBelow(folder, '');
  return folder.own ? [...removed, ...removeIfEmpty(folder.path)] : removed;
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

function clearBelow(folder: FolderToClear, prefix: string): string[] {
  const removed: string[] = [];
  for (const entry of entriesOf(path.join(folder.path, prefix))) {
    const name = `${prefix}${entry.name}`;
    const full = path.join(folder.path, name);
    if (entry.isDirectory()) {
      removed.push(...clearBelow(folder, `${name}/`));
      if (folder.folders.test(name)) removed.push(...removeIfEmpty(full));
    } else if (entry.isFile() && folder.files.test(name)) {
      unlinkSync(full);
      removed.push(full);
    }
  }
  return removed;
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
