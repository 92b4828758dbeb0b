import { describe, expect, it } from 'vitest';
import { compileFilters } from '../src/filter-sql.ts';
import { memoryDatabase } from './open-test-store.ts';

describe('compileFilters', () => {
  it('makes no condition when there is no filter', () =>
    expect(compileFilters({})).toEqual({ sql: '1', parameters: [] }));

  it('gives one text for the same filters with other values, so that it is prepared once', () => {
    const a = compileFilters({ lang: ['en'], tag: ['x'], pathGlob: ['*'], trustMin: 'primary' });
    const b = compileFilters({ lang: ['ko', 'ja'], tag: [], pathGlob: ['a', 'b'], trustMin: 'generated' });
    expect(a.sql).toBe(b.sql);
    expect(a.parameters).not.toEqual(b.parameters);
  });

  it('lets nothing through a list without values', async () => {
    const db = await memoryDatabase();
    const { sql, parameters } = compileFilters({ lang: [] });
    expect(
      db
        .prepare(`SELECT count(*) FROM (SELECT 'en' AS lang) d WHERE ${sql}`)
        .pluck()
        .get(...parameters),
    ).toBe(0);
    db.close();
  });
});
