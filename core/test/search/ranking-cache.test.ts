import { describe, expect, it } from 'vitest';
import type { ChunkId } from '../../src/domain/ids.ts';
import type { Ranking } from '../../src/search/rank-chunks.ts';
import { RankingCache } from '../../src/search/ranking-cache.ts';

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
  it('answers when it knows enough of the list, or all of it', () => {
    const cache = new RankingCache();
    cache.set('long', ranking(11, false));
    cache.set('whole', ranking(3, true));
    expect(cache.get('long', 11)?.entries).toHaveLength(11);
    expect(cache.get('long', 12)).toBeUndefined();
    expect(cache.get('whole', 500)?.entries).toHaveLength(3);
    expect(cache.get('other', 1)).toBeUndefined();
  });

  it('forgets the list that was not asked for the longest', () => {
    const cache = new RankingCache(2);
    cache.set('a', ranking(1, true));
    cache.set('b', ranking(1, true));
    cache.get('a', 1);
    cache.set('c', ranking(1, true));
    expect(['a', 'b', 'c'].map((key) => cache.get(key, 1) !== undefined)).toEqual([true, false, true]);
  });
});
