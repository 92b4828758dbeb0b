import { statement, statementsOn, type Placeholder } from '@kebab/sqlite-kit';
import type { Database as Connection } from 'better-sqlite3';
import { sql } from 'kysely';
import { build, factStatements } from '../database/tables.ts';

const COUNTER = 'full_text_removed';
const MIN_REMOVED = 200;
const REMOVED_SHARE = 0.25;
const PAGES_PER_STEP = 1000;

/**
 * Merges the full-text index once a quarter of its rows are removed ones, in steps of one transaction each. Otherwise the old words of
 * documents that change often would remain until the next large merge.
 */
export function mergeFullText(db: Connection, removedNow: number): void {
  if (removedNow === 0) return;
  const { fact, setFact } = statementsOn(db, factStatements);
  const before = Number(fact.first({ key: COUNTER })?.value ?? 0);
  const removed = before + removedNow;
  // Counting scans an index, so it is not done for each of many small writes.
  const isCounted = Math.floor(removed / MIN_REMOVED) > Math.floor(before / MIN_REMOVED);
  const chunks = statement(db, () => build.selectFrom('chunks').select(({ fn }) => fn.countAll<number>().as('n')));
  const isDue = isCounted && removed >= REMOVED_SHARE * (chunks.first({})?.n ?? 0);
  if (isDue) mergeAll(db);
  setFact.run({ key: COUNTER, value: String(isDue ? 0 : removed) });
}

/** A negative number of pages assigns all segments to one level and starts merging; positive ones continue until nothing is left to do. */
function mergeAll(db: Connection): void {
  const merge = statement(
    db,
    (value: Placeholder<{ readonly pages: bigint }>) =>
      sql`INSERT INTO chunks_fts (chunks_fts, rank) VALUES ('merge', ${value('pages')})`,
  );
  const total = statement(db, () => build.selectNoFrom(({ fn }) => fn<number>('total_changes').as('changes')));
  let pages = -PAGES_PER_STEP;
  for (let before = total.first({})?.changes ?? 0; ; pages = PAGES_PER_STEP) {
    merge.run({ pages: BigInt(pages) });
    const after = total.first({})?.changes ?? 0;
    if (after - before < 2) return;
    before = after;
  }
}

const FREE_SHARE = 0.02;

/** Returns free pages to the file system if they are more than a fiftieth of the file, as after a purge or a large merge. */
export function reclaimSpace(db: Connection): void {
  const pages = Number(db.pragma('page_count', { simple: true }));
  const free = Number(db.pragma('freelist_count', { simple: true }));
  if (free > pages * FREE_SHARE) db.exec('PRAGMA incremental_vacuum');
}
