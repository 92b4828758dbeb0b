import type { Database as Connection } from 'better-sqlite3';

const COUNTER = 'full_text_removed';
const MIN_REMOVED = 200;
const REMOVED_SHARE = 0.25;
const PAGES_A_STEP = 1000;

/**
 * Takes removed rows out of the full-text index once a quarter of it is removed rows, in steps of one transaction each.
 * Without that, documents that keep changing would leave their old words behind until the next large merge.
 */
export function mergeFullText(db: Connection, removedNow: number): void {
  if (removedNow === 0) return;
  const stored = db.prepare('SELECT CAST(value AS INTEGER) FROM kv WHERE key = ?').pluck().get(COUNTER);
  const before = Number(stored ?? 0);
  const removed = before + removedNow;
  // Counting goes through an index: not for each of many small writes.
  const isCounted = Math.floor(removed / MIN_REMOVED) > Math.floor(before / MIN_REMOVED);
  const isDue = isCounted && removed >= REMOVED_SHARE * countChunks(db);
  if (isDue) mergeAll(db);
  db.prepare('INSERT INTO kv VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value').run(
    COUNTER,
    String(isDue ? 0 : removed),
  );
}

function countChunks(db: Connection): number {
  return Number(db.prepare('SELECT count(*) FROM chunks').pluck().get());
}

/** A negative number of pages declares everything one level and begins; positive ones go on until nothing is left to do. */
function mergeAll(db: Connection): void {
  const merge = db.prepare("INSERT INTO chunks_fts(chunks_fts, rank) VALUES ('merge', ?)");
  const totalChanges = db.prepare('SELECT total_changes()').pluck();
  let pages = -PAGES_A_STEP;
  for (let before = Number(totalChanges.get()); ; pages = PAGES_A_STEP) {
    merge.run(BigInt(pages));
    const after = Number(totalChanges.get());
    if (after - before < 2) return;
    before = after;
  }
}

const FREE_SHARE = 0.02;

/** Gives room back to the file system when more than a fiftieth of the file is empty: after a purge, or a large merge. */
export function reclaimSpace(db: Connection): void {
  const pages = Number(db.pragma('page_count', { simple: true }));
  const free = Number(db.pragma('freelist_count', { simple: true }));
  if (free > pages * FREE_SHARE) db.exec('PRAGMA incremental_vacuum');
}
