import { sql } from 'kysely';
import type { Db } from './tables.ts';

/** Increments the corpus revision, inside of the transaction that changes what a search finds. */
export async function growRevision(tx: Db): Promise<void> {
  await tx
    .updateTable('kv')
    .set({ value: sql<string>`(value::bigint + 1)::text` })
    .where('key', '=', 'corpus_revision')
    .execute();
}
