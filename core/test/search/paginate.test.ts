import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { neededFor, pageOf } from '../../src/search/paginate.ts';

const list = (length: number): readonly number[] => Array.from({ length }, (_, at) => at);

describe('pageOf', () => {
  it.each([
    { length: 0, offset: 0, k: 10, items: [], hasMore: false },
    { length: 3, offset: 0, k: 3, items: [0, 1, 2], hasMore: false },
    { length: 4, offset: 0, k: 3, items: [0, 1, 2], hasMore: true },
    { length: 4, offset: 3, k: 3, items: [3], hasMore: false },
    { length: 4, offset: 9, k: 3, items: [], hasMore: false },
  ])('cuts $k behind $offset out of $length', ({ length, offset, k, items, hasMore }) => {
    expect(pageOf(list(length), offset, k)).toEqual({ items, hasMore });
  });

  it('neither repeats nor skips nor comes empty, whatever the sizes of the pages', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(fc.nat({ max: 60 }), sizes, (length, ks) => {
        const seen: number[] = [];
        for (let turn = 0, more = true; more; turn++) {
          const k = ks[turn % ks.length] ?? 1;
          const known = list(length).slice(0, neededFor(seen.length, k));
          const page = pageOf(known, seen.length, k);
          expect(turn === 0 || page.items.length > 0).toBe(true);
          seen.push(...page.items);
          more = page.hasMore;
        }
        expect(seen).toEqual(list(length));
      }),
    );
  });
});
