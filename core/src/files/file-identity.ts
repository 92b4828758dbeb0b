import { statSync } from 'node:fs';

/**
 * Differs for two files or folders at the same path; null when there is none. Links are followed. Made of whole numbers of any size: those of
 * some file systems are larger than what a number holds exactly.
 */
export function identityOf(path: string): string | null {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? null : `${found.dev}:${found.ino}`;
}
