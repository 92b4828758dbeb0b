import type { Damage } from '@kebab/core/store';
import { TABLES, damagedRows } from '@kebab/store-kit';
import { sql } from 'kysely';
import { perform } from '../database/engine.ts';
import type { Db } from '../database/tables.ts';

/** Finds what is missing or malformed in the tables. `deep` reads every block as well. */
export async function findDamage(tx: Db, deep: boolean): Promise<readonly Damage[]> {
  const { rows } = await sql<{ readonly name: string }>`
    SELECT name FROM unnest(${Object.keys(TABLES)}::text[]) AS name WHERE to_regclass(name) IS NULL`.execute(tx);
  if (rows.length > 0) return rows.map(({ name }) => ({ table: name, problem: 'the table is missing' }));
  return perform(tx, (build) => damagedRows(build, deep));
}
