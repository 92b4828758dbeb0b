import { describe, expect, it } from 'vitest';
import { compileFilters } from '../src/filter-sql.ts';
import { memoryDatabase } from './open-test-store.ts';

describe('compileFilters', () => {
  it('makes no condition when there is no filter', () =>
    expect(compileFilters({})).toEqual({ condition: '1', values: {} }));

  it('gives one text for the same filters with other values, so that it is prepared once', () => {
    const a = compileFilters({ lang: ['en'], tag: ['x'], pathGlob: ['*'], trustMin: 'primary' });
    const b = compileFilters({ lang: ['ko', 'ja'], tag: [], pathGlob: ['a', 'b'], trustMin: 'generated' });
    expect(a.condition).toBe(b.condition);
    expect(a.values).not.toEqual(b.values);
  });

  it('lets nothing through a list without values', async () => {
    const db = await memoryDatabase();
    const { condition, values } = compileFilters({ lang: [] });
    const count = db.prepare(`SELECT count(*) FROM (SELECT 'en' AS lang) d WHERE ${condition}`).pluck();
    expect(count.get(values)).toBe(0);
    db.close();
  });
});
