import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { NumberArray } from '../../src/database/number-array.ts';
import { POSTGRES_MISSING, withPostgres } from '../with-postgres.ts';

async function sent(array: NumberArray, type: 'bigint' | 'smallint'): Promise<readonly string[]> {
  let values: readonly string[] = [];
  await withPostgres(async ({ database }) => {
    const { rows } = await database.statement((db) =>
      sql<{ readonly value: string }>`
        SELECT value::text FROM unnest(${array.parameter()}::${sql.raw(type)}[]) WITH ORDINALITY AS v(value, at)
        ORDER BY at`.execute(db),
    );
    values = rows.map(({ value }) => value);
  });
  return values;
}

describe.skipIf(POSTGRES_MISSING)('an array in binary form (skipped without a server)', () => {
  it('without elements is empty', async () => {
    expect(await sent(new NumberArray('bigint'), 'bigint')).toEqual([]);
  });

  it('keeps small numbers and their signs', async () => {
    const array = new NumberArray('smallint');
    const values = [0, 1, -1, 300, 32_767, -32_768];
    for (const value of values) array.add(value);
    expect(array.length).toBe(values.length);
    expect(await sent(array, 'smallint')).toEqual(values.map(String));
  });

  it('keeps all 64 bits', async () => {
    const array = new NumberArray('bigint');
    const halves = [
      [0, 0],
      [0, -1],
      [1, 0],
      [-1, -1],
      [0x7fff_ffff, 7],
      [65_536 * 40 + 9, -2],
    ] as const;
    for (const [high, low] of halves) array.add(low, high);
    const expected = halves.map(([high, low]) => ((BigInt(high) << 32n) + BigInt(low >>> 0)).toString());
    expect(await sent(array, 'bigint')).toEqual(expected);
  });

  it('grows', async () => {
    const array = new NumberArray('bigint');
    for (let at = 0; at < 100_000; at++) array.add(at);
    const values = await sent(array, 'bigint');
    expect(values).toHaveLength(100_000);
    expect(values.at(-1)).toBe('99999');
  });
});
