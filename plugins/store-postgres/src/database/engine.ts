import { KebabError } from '@kebab/core';
import { runInTurn, TABLES, type Build, type Engine, type Steps } from '@kebab/store-kit';
import { sql } from 'kysely';
import { GROW_REVISION } from './corpus-revision.ts';
import { failureCode } from './lost-connection.ts';
import type { PostgresDatabase } from './open-database.ts';
import { isAnyOf } from './query-parts.ts';
import type { Reads } from './replica-reads.ts';
import type { Db } from './tables.ts';

/** What a violated reference and a violated key of a turn mean. */
const TURN_FAULTS: Readonly<Record<string, 'no_session' | 'taken'>> = { 23503: 'no_session', 23505: 'taken' };

/**
 * The engine of a database on a server, or of what reads from it. Each statement that reads is a snapshot of its own, each change a
 * transaction.
 */
export function postgresEngine(database: PostgresDatabase, reads: Reads = database): Engine {
  const location = database.address.shown;
  return {
    location,
    read: (work) => reads.statement((db) => perform(db, work)),
    snapshot: (work) => reads.read((tx) => perform(tx, work)),
    change: async (work, command) => {
      if (database.readonly && command !== undefined)
        throw new KebabError('readonly_mode', `${location} was opened for reading`, { details: { command } });
      return database.change((tx) => perform(tx, work));
    },
    isAnyOf,
    storedBytes: sql`SELECT coalesce(sum(pg_total_relation_size(to_regclass(name))), 0)::bigint AS bytes
      FROM unnest(${Object.keys(TABLES)}::text[]) AS name`,
    recorded: 'recorded',
    documentDate: sql.ref('d.document_date'),
    isUnsettled: sql`status <> 'committed'`, // as a literal, so that the partial index answers
    isSameChunk: sql`c.chunk_id = e.chunk_id`,
    growRevision: GROW_REVISION,
    turnFault: (error) => TURN_FAULTS[failureCode(error) ?? ''],
  };
}

/** Runs statements one after another, inside of a transaction or outside. */
export function perform<T>(db: Db, work: (build: Build) => Steps<T>): Promise<T> {
  return runInTurn(work(db), async (query) => {
    const { rows, numAffectedRows = 0n } = await db.executeQuery(query.compile(db));
    return { rows, changes: Number(numAffectedRows) };
  });
}
