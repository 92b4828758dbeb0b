import { describe, expect, it } from 'vitest';
import { judgeResult, rankedBy } from '../../../src/eval/metrics/judge-result.ts';
import { resultOf } from '../query-results.ts';

describe('judgeResult', () => {
  const result = resultOf('q', { hits: ['a/1', 'a/2', 'b/1', 'a/3'], chunks: ['b/1', 'c/1'], documents: ['a'] });

  it('ranks chunks as they were found, and documents by their first hit', () => {
    expect(judgeResult(result)).toMatchObject({
      chunks: { ranked: ['a/1', 'a/2', 'b/1', 'a/3'], expected: new Set(['b/1', 'c/1']) },
      documents: { ranked: ['a', 'b'], expected: new Set(['a']) },
      hasHits: true,
    });
  });

  it('lets documents stand for chunks where those cannot be compared', () => {
    expect(judgeResult(result, 'document')).toMatchObject({
      chunks: { ranked: ['a', 'b'], expected: new Set(['b', 'c']) },
      documents: { ranked: ['a', 'b'], expected: new Set(['a']) },
    });
  });

  it('has no ranking where nothing is expected', () => {
    const judged = judgeResult(resultOf('q', { hits: ['a/1'] }));
    expect(judged).toMatchObject({ chunks: null, documents: null });
  });

  it('has nothing to judge where the search failed', () => {
    expect(judgeResult(resultOf('q', { unsearched: true, error: 'broken' }))).toBeNull();
  });

  it('judges the hits of a query whose answer failed', () => {
    expect(judgeResult(resultOf('q', { hits: ['a/1'], chunks: ['a/1'], error: 'no model' }))).toMatchObject({
      chunks: { ranked: ['a/1'] },
      answer: null,
    });
  });

  it('tells ranks by chunks, and by documents where only those are expected', () => {
    const rankedOf = (spec: Parameters<typeof resultOf>[1]): unknown => {
      const judged = judgeResult(resultOf('q', { hits: ['a/1'], ...spec }));
      return judged === null ? undefined : rankedBy(judged)?.ranked;
    };
    expect(rankedOf({ chunks: ['a/1'], documents: ['a'] })).toEqual(['a/1']);
    expect(rankedOf({ documents: ['a'] })).toEqual(['a']);
    expect(rankedOf({})).toBeUndefined();
  });
});
