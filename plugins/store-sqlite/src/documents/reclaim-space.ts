import type { Database as Connection } from 'better-sqlite3';

const FREE_SHARE = 0.02;

/** Gives room back to the file system when more than a fiftieth of the file is empty: after a purge, or a large merge. */
export function reclaimSpace(db: Connection): void {
  const pages = Number(db.pragma('page_count', { simple: true }));
  const free = Number(db.pragma('freelist_count', { simple: true }));
  if (free > pages * FREE_SHARE) db.exec('PRAGMA incremental_vacuum');
}
