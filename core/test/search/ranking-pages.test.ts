import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChunkId } from '../../src/domain/ids.ts';
import type { Ranking } from '../../src/search/rank-chunks.ts';
import { neededFor, pageOf, RankingCache } from '../../src/search/ranking-pages.ts';

const list = (length: number): readonly number[] => Array.from({ length }, (_, at) => at);

describe('pageOf', () => {
  it.each([
    { length: 0, offset: 0, k: 10, items: [], hasMore: false },
    { length: 3, offset: 0, k: 3, items: [0, 1, 2], hasMore: false },
    { length: 4, offset: 0, k: 3, items: [0, 1, 2], hasMore: true },
    { length: 4, offset: 3, k: 3, items: [3], hasMore: false },
    { length: 4, offset: 9, k: 3, items: [], hasMore: false },
  ])('cuts $k after $offset out of $length', ({ length, offset, k, items, hasMore }) => {
    expect(pageOf(list(length), offset, k)).toEqual({ items, hasMore });
  });

  it('never repeats, skips or is empty, whatever the page sizes', () => {
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

const ranking = (length: number, complete: boolean): Ranking => ({
  entries: Array.from({ length }, (_, at) => ({
    chunkId: String(at) as ChunkId,
    score: 1,
    lexical: null,
    vector: null,
    fusionScore: null,
  })),
  complete,
  mode: 'lexical',
  scale: null,
  degraded: [],
  lexical: [],
  vector: [],
  contributed: [],
  lexicalMs: 0,
  vectorMs: 0,
  fusionMs: 0,
  stages: ['lexical'],
  retrieved: [],
  fusion: null,
  rerankMs: 0,
});

describe('RankingCache', () => {
  it('returns a ranking that covers enough of the list, or all of it', () => {
    const cache = new RankingCache();
    cache.set('long', ranking(11, false));
    cache.set('whole', ranking(3, true));
    expect(cache.get('long', 11)?.entries).toHaveLength(11);
    expect(cache.get('long', 12)).toBeUndefined();
    expect(cache.get('whole', 500)?.entries).toHaveLength(3);
    expect(cache.get('other', 1)).toBeUndefined();
  });

  it('evicts the least recently used list', () => {
    const cache = new RankingCache(2);
    cache.set('a', ranking(1, true));
    cache.set('b', ranking(1, true));
    cache.get('a', 1);
    cache.set('c', ranking(1, true));
    expect(['a', 'b', 'c'].map((key) => cache.get(key, 1) !== undefined)).toEqual([true, false, true]);
  });
});
