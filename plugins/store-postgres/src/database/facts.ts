import type { Db } from './tables.ts';

/** A fact about the knowledge base as a whole; undefined if it is not recorded. */
export async function factOf(db: Db, key: string): Promise<string | undefined> {
  const row = await db.selectFrom('kv').select('value').where('key', '=', key).executeTakeFirst();
  return row?.value;
}
