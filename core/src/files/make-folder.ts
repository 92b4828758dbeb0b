import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';

/**
 * Creates a folder and its missing parents, and leaves existing ones alone. Throws the system error for the first folder that cannot be
 * created. Node's recursive mkdir reports `ENOENT` on a read-only file system, and never returns where mkdir itself fails with it
 * (`/proc`).
 */
export function makeFolder(folder: string, { mode = 0o755 }: { readonly mode?: number } = {}): void {
  const missing: string[] = [];
  for (let at = path.resolve(folder); !exists(at); at = path.dirname(at)) missing.push(at);
  for (const one of missing.toReversed()) makeOne(one, mode);
  // A file, or a link to nothing, is in the way.
  if (missing.length === 0 && !statSync(folder).isDirectory()) mkdirSync(folder);
}

function makeOne(folder: string, mode: number): void {
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Another process created it first.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' && exists(folder)) return;
    throw error;
  }
}

function exists(folder: string): boolean {
  return statSync(folder, { throwIfNoEntry: false }) !== undefined;
}
