import type { Database as Connection } from 'better-sqlite3';

const MIN_FREE_BYTES = 16 * 1024 * 1024;
const FREE_SHARE = 0.25;

/** Gives room back to the file system when a quarter of the file is empty: after a purge, or when everything was replaced. */
export function reclaimSpace(db: Connection): void {
  const [pages, free, pageSize] = ['page_count', 'freelist_count', 'page_size'].map((name) =>
    Number(db.pragma(name, { simple: true })),
  ) as [number, number, number];
  if (free * pageSize >= MIN_FREE_BYTES && free >= pages * FREE_SHARE) db.exec('VACUUM');
}
