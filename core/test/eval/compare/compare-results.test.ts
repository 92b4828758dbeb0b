import { describe, expect, it } from 'vitest';
import { compareResults } from '../../../src/eval/compare/compare-results.ts';
import { resultOf } from '../query-results.ts';

const A = [
  resultOf('same', { hits: ['a/1'], chunks: ['a/1'] }),
  resultOf('better', { hits: ['b/1', 'b/2'], chunks: ['b/2'] }),
  resultOf('worse', { hits: ['c/1'], chunks: ['c/1'] }),
  resultOf('lost', { hits: ['d/1'], chunks: ['d/1'] }),
  resultOf('only-a', { hits: [], chunks: ['e/1'] }),
  resultOf('broken', { hits: ['f/1'], chunks: ['f/1'] }),
];
const B = [
  resultOf('only-b', { hits: ['x/1'], chunks: ['x/1'] }),
  resultOf('worse', { hits: ['c/9', 'c/8', 'c/7', 'c/1'], chunks: ['c/1'] }),
  resultOf('lost', { hits: ['d/9'], chunks: ['d/1'] }),
  resultOf('better', { hits: ['b/2', 'b/1'], chunks: ['b/2'] }),
  resultOf('same', { hits: ['a/1'], chunks: ['a/1'] }),
  resultOf('broken', { unsearched: true, chunks: ['f/1'], error: 'broken' }),
];

describe('two runs', () => {
  it('are compared query by query, in the order of the first', () => {
    expect(compareResults(A, B, 'chunk').queries).toEqual([
      { id: 'same', outcome: 'draw', rank_a: 1, rank_b: 1 },
      { id: 'better', outcome: 'win', rank_a: 2, rank_b: 1 },
      { id: 'worse', outcome: 'loss', rank_a: 1, rank_b: 4 },
      { id: 'lost', outcome: 'regression', rank_a: 1, rank_b: null },
      { id: 'broken', outcome: 'regression', rank_a: 1, rank_b: null },
    ]);
  });

  it('are compared metric by metric over the pairs that have it', () => {
    const { metrics } = compareResults(A, B, 'chunk');
    expect(metrics['hit_at_1']).toMatchObject({ a: 0.75, b: 0.5, delta: -0.25 });
    expect(metrics['mrr']).toMatchObject({ a: 0.875, b: 0.5625, delta: -0.3125 });
    expect(metrics['failed_queries']).toEqual({ a: 0, b: 1, delta: 1, ci95: null });
    expect(metrics['recall_at_1_doc']).toEqual({ a: null, b: null, delta: null, ci95: null });
    const [low = 0, high = 0] = metrics['mrr']?.ci95 ?? [];
    expect(low).toBeLessThan(-0.3125);
    expect(high).toBeGreaterThan(-0.3125);
  });

  it('are compared by document where their chunks differ, without a precision of chunks', () => {
    const { metrics, queries } = compareResults(A, B, 'document');
    expect(queries.map(({ outcome }) => outcome)).toEqual(['draw', 'draw', 'draw', 'draw', 'regression']);
    expect(metrics['hit_at_1']).toMatchObject({ a: 1, b: 1, delta: 0, ci95: [0, 0] });
    expect(metrics['precision_at_1_chunk']).toEqual({ a: null, b: null, delta: null, ci95: null });
  });

  it('that share no query have nothing to compare', () => {
    const { metrics, queries } = compareResults(A.slice(0, 1), B.slice(0, 1), 'chunk');
    expect(queries).toEqual([]);
    expect(metrics['mrr']).toEqual({ a: null, b: null, delta: null, ci95: null });
  });
});
