import { describe, expect, it } from 'vitest';
import {
  containsAll,
  containsNone,
  firstRelevantRank,
  hitAt,
  isCovered,
  judgeResult,
  ndcgAt,
  precisionAt,
  rankedBy,
  type Ranking,
  recallAt,
  reciprocalRank,
} from '../../../src/eval/metrics/ranking-metrics.ts';
import type { ResultCitation } from '../../../src/eval/query-result.ts';
import { resultOf } from '../query-results.ts';

/** A list of single letters; capitals are expected, and so is what stands behind the bar. */
function ranking(text: string): Ranking {
  const [list = '', missing = ''] = text.split('|');
  const ranked = [...list];
  return { ranked, expected: new Set([...ranked.filter((item) => item !== item.toLowerCase()), ...missing]) };
}

const twelfth = 'abcdefghijkL';
const log2 = Math.log2;

describe('metrics of a ranked list', () => {
  it.each([
    ['Abc', 1],
    ['abC', 3],
    ['aBC', 2],
    ['abc|Z', null],
    ['|Z', null],
    [twelfth, 12],
  ])('%s has its first expected item at rank %s', (text, rank) => {
    expect(firstRelevantRank(ranking(text))).toBe(rank);
  });

  it.each([
    ['Abc', 1, 1],
    ['abC', 1, 0],
    ['abC', 3, 1],
    ['abcD', 3, 0],
    ['ab|Z', 10, 0],
    ['|Z', 1, 0],
    [twelfth, 10, 0],
  ])('hit of %s at %i is %i', (text, k, expected) => {
    expect(hitAt(ranking(text), k)).toBe(expected);
  });

  it.each([
    ['Abc', 1],
    ['aBC', 1 / 2],
    ['abcdefghiJ', 1 / 10],
    [twelfth, 0],
    ['abc|Z', 0],
  ])('reciprocal rank of %s is %f', (text, expected) => {
    expect(reciprocalRank(ranking(text))).toBe(expected);
  });

  it.each([
    ['AbC', 1, 1 / 2],
    ['AbC', 3, 1],
    ['AbC|Z', 3, 2 / 3],
    ['abc|Z', 10, 0],
    ['|YZ', 5, 0],
  ])('recall of %s at %i is %f', (text, k, expected) => {
    expect(recallAt(ranking(text), k)).toBe(expected);
  });

  it.each([
    ['Abc', 1, 1],
    ['AbC', 3, 2 / 3],
    ['A', 5, 1 / 5],
    ['AB', 10, 2 / 10],
    ['|Z', 3, 0],
  ])('precision of %s at %i is %f, however short the list', (text, k, expected) => {
    expect(precisionAt(ranking(text), k)).toBe(expected);
  });

  it.each([
    ['Abc', 1, 1],
    ['aBc', 1, 0],
    ['aBc', 3, 1 / log2(3)],
    ['AB', 3, 1],
    ['A|Z', 3, 1 / (1 + 1 / log2(3))],
    ['aBC', 3, (1 / log2(3) + 1 / log2(4)) / (1 + 1 / log2(3))],
    ['abC|YZ', 1, 0],
    ['Abc|XYZ', 1, 1],
    ['|Z', 10, 0],
  ])('nDCG of %s at %i is %f', (text, k, expected) => {
    expect(ndcgAt(ranking(text), k)).toBeCloseTo(expected, 12);
  });
});

describe('strings in an answer', () => {
  const text = 'Green tea is steeped at 80 degrees [1]. 녹차는 80도에서.';

  it.each([
    [[], true],
    [['80 degrees'], true],
    [['80 degrees', '녹차'], true],
    [['80 Degrees'], false],
    [['80  degrees'], false],
    [['80 degrees', 'boiling'], false],
  ])('contains all of %j: %s', (strings, expected) => {
    expect(containsAll(text, strings)).toBe(expected);
  });

  it.each([
    [[], true],
    [['boiling'], true],
    [['GREEN'], true],
    [['boiling', '녹차'], false],
  ])('contains none of %j: %s', (strings, expected) => {
    expect(containsNone(text, strings)).toBe(expected);
  });
});

describe('citations of an answer', () => {
  const exact: ResultCitation = {
    uri: 'a.md#L1',
    content_hash: '0'.repeat(16),
    source_id: null,
    status: 'exact',
    verified: null,
  };

  it.each([
    ['are exact', [exact], true],
    ['are exact and quoted verbatim', [{ ...exact, verified: true }, exact], true],
    ['have moved', [exact, { ...exact, status: 'moved' as const }], false],
    ['are gone', [{ ...exact, status: 'gone' as const }], false],
    ['have a quotation that their passage lacks', [exact, { ...exact, verified: false }], false],
    ['are missing', [], false],
  ])('that %s', (_, citations, expected) => {
    expect(isCovered({ citations })).toBe(expected);
  });
});

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
