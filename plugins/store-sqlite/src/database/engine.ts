import { KebabError } from '@kebab/core';
import { asPromise, sqlBuilder, sqliteCode } from '@kebab/sqlite-kit';
import { runNow, type Engine, type Outcome, type Query, type Steps, type Tables } from '@kebab/store-kit';
import type { Database as Connection } from 'better-sqlite3';
import { sql } from 'kysely';
import { guarded } from './store-failure.ts';
import { GROW_REVISION } from './tables.ts';

const build = sqlBuilder<Tables>();

const TURN_FAULTS: Readonly<Record<string, 'no_session' | 'taken'>> = {
  SQLITE_CONSTRAINT_FOREIGNKEY: 'no_session',
  SQLITE_CONSTRAINT_UNIQUE: 'taken',
  SQLITE_CONSTRAINT_PRIMARYKEY: 'taken',
};

/** Runs queries on one snapshot; inside a transaction they also see what that has written so far. */
export function snapshotsOf(db: Connection, location: string): <T>(query: () => T) => Promise<T> {
  const transaction = db.transaction((act: () => unknown) => act()); // takes as long as a small query
  return <T>(query: () => T) =>
    asPromise(() => guarded(location, () => (db.inTransaction ? query() : transaction(query)) as T));
}

/** The engine of a database; `location` appears in messages. Each change is a transaction of its own. */
export function sqliteEngine(db: Connection, location: string): Engine {
  const onSnapshot = snapshotsOf(db, location);
  const transaction = db.transaction((act: () => unknown) => act());
  const transact = <T>(act: () => T): T => transaction.immediate(act) as T;
  const read: Engine['read'] = (work) => onSnapshot(() => perform(db, work));
  return {
    location,
    read,
    snapshot: read,
    change: (work, command) =>
      asPromise(() => {
        try {
          return transact(() => perform(db, work));
        } catch (cause) {
          if (command === undefined || sqliteCode(cause) !== 'SQLITE_READONLY')
            return guarded(location, () => {
              throw cause;
            });
          throw new KebabError('readonly_mode', `${location} was opened for reading`, { details: { command }, cause });
        }
      }),
    isAnyOf: (column, values) => sql`${sql.ref(column)} in (select value from json_each(${JSON.stringify(values)}))`,
    storedBytes: sql`select page_count * page_size as bytes from pragma_page_count, pragma_page_size`,
    recorded: 'rowid',
    documentDate: sql`document_date(${sql.ref('d.metadata_json')}, ${sql.ref('d.updated_at')})`,
    // `unlikely`, because the statistics give every state the same weight and make the planner read all vectors.
    isUnsettled: sql`unlikely(${sql.ref('status')} in ('pending', 'tombstone'))`,
    isSameChunk: sql`c.chunk_key = unhex(e.chunk_id)`,
    growRevision: GROW_REVISION,
    turnFault: (error) => TURN_FAULTS[sqliteCode(error) ?? ''],
  };
}

/** Runs statements at once, inside of a transaction if there is one. */
export function perform<T>(db: Connection, work: (builder: typeof build) => Steps<T>): T {
  return runNow(work(build), (query) => outcomeOf(db, query));
}

function outcomeOf(db: Connection, query: Query): Outcome {
  const { sql: text, parameters } = query.compile(build);
  const prepared = db.prepare(text);
  if (prepared.reader) return { rows: prepared.all(...parameters), changes: 0 };
  return { rows: [], changes: prepared.run(...parameters).changes };
}
