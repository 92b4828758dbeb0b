import { throwIfCancelled, type AbortOptions } from '@kebab/core';
import { lockedBy, thisHolder, type WriterHolder } from '@kebab/store-kit';
import { sql } from 'kysely';
import type { OwnConnection } from '../database/connection.ts';
import { failureCode } from '../database/lost-connection.ts';
import type { PostgresDatabase } from '../database/open-database.ts';
import type { Db } from '../database/tables.ts';

const LOCK_NOT_AVAILABLE = '55P03';
const KEY = sql`hashtext('kebab writer'), hashtext(current_schema())`; // other programs use other numbers

/**
 * Locks a knowledge base for its single writer: an advisory lock that belongs to a connection of its own, through which the writer also
 * writes. If that connection is lost, however it happens, the server ends both the lock and the transaction. Writers that wait get the lock in
 * order, from the server. A row says who has the lock, only for messages. Throws `locked` if another writer has not finished in time, and
 * `cancelled` if the signal fires.
 */
export async function lockWriter(
  database: PostgresDatabase,
  { waitMs, signal }: { readonly waitMs: number } & AbortOptions,
): Promise<OwnConnection> {
  const cancelled = (): void => throwIfCancelled(signal, 'waiting for the other writer');
  cancelled();
  const own = await database.connect();
  const stop = (): void => void own.close(); // the statement that waits fails
  signal?.addEventListener('abort', stop, { once: true });
  try {
    if (!(await database.guard(() => takeLock(own.db, waitMs))))
      throw lockedBy(database.address.shown, await database.guard(() => readHolder(own.db)));
    await database.guard(() => recordHolder(own.db));
    return own;
  } catch (error) {
    await own.close();
    cancelled();
    throw error;
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

async function takeLock(db: Db, waitMs: number): Promise<boolean> {
  const { rows } = await sql<{ readonly taken: boolean }>`SELECT pg_try_advisory_lock(${KEY}) AS taken`.execute(db);
  if (rows[0]?.taken === true) return true;
  if (waitMs === 0) return false;
  try {
    await sql`SELECT set_config('lock_timeout', ${String(waitMs)}, false)`.execute(db);
    await sql`SELECT pg_advisory_lock(${KEY})`.execute(db);
    await sql`SET lock_timeout TO DEFAULT`.execute(db);
    return true;
  } catch (error) {
    if (failureCode(error) === LOCK_NOT_AVAILABLE) return false;
    throw error;
  }
}

async function recordHolder(db: Db): Promise<void> {
  const holder = thisHolder();
  await db
    .insertInto('writer')
    .values({ ...holder, is_only: true, backend: sql<number>`pg_backend_pid()` })
    .onConflict((conflict) =>
      conflict.column('is_only').doUpdateSet({ ...holder, backend: sql<number>`pg_backend_pid()` }),
    )
    .execute();
}

/** Null if the row is that of an earlier holder. */
async function readHolder(db: Db): Promise<WriterHolder | null> {
  const holder = await db
    .selectFrom('writer')
    .select(['pid', 'host', 'command', 'since'])
    .where('backend', 'in', sql<number>`(SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted)`)
    .executeTakeFirst();
  return holder ?? null;
}
