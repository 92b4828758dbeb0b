import { statSync } from 'node:fs';

/**
 * An identity that differs between two files or folders at the same path; null when nothing exists there. Links are followed. Uses bigints:
 * the numbers of some file systems exceed the exact range of a double.
 */
export function identityOf(path: string): string | null {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? null : `${stats.dev}:${stats.ino}`;
}
