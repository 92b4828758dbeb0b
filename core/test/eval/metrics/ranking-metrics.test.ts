import { describe, expect, it } from 'vitest';
import {
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
  aggregateResults,
} from '../../../src/eval/metrics/ranking-metrics.ts';
import type { ResultCitation } from '../../../src/eval/query-result.ts';
import type { Metrics } from '../../../src/wire/index.ts';
import { parseWire } from '../../wire/parse-wire.ts';
import { resultOf, type ResultSpec } from '../query-results.ts';

/** A list of single letters; capitals are expected, and so are those after the bar. */
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

  it('ranks chunks in their order, and documents by their first hit', () => {
    expect(judgeResult(result)).toMatchObject({
      chunks: { ranked: ['a/1', 'a/2', 'b/1', 'a/3'], expected: new Set(['b/1', 'c/1']) },
      documents: { ranked: ['a', 'b'], expected: new Set(['a']) },
      hasHits: true,
    });
  });

  it('replaces chunks by documents when those cannot be compared', () => {
    expect(judgeResult(result, 'document')).toMatchObject({
      chunks: { ranked: ['a', 'b'], expected: new Set(['b', 'c']) },
      documents: { ranked: ['a', 'b'], expected: new Set(['a']) },
    });
  });

  it('has no ranking when nothing is expected', () => {
    const judged = judgeResult(resultOf('q', { hits: ['a/1'] }));
    expect(judged).toMatchObject({ chunks: null, documents: null });
  });

  it('has nothing to judge when the search failed', () => {
    expect(judgeResult(resultOf('q', { unsearched: true, error: 'broken' }))).toBeNull();
  });

  it('judges the hits of a query whose answer failed', () => {
    expect(judgeResult(resultOf('q', { hits: ['a/1'], chunks: ['a/1'], error: 'no model' }))).toMatchObject({
      chunks: { ranked: ['a/1'] },
      answer: null,
    });
  });

  it('returns ranks by chunk, or by document when only those are expected', () => {
    const rankedOf = (spec: Parameters<typeof resultOf>[1]): unknown => {
      const judged = judgeResult(resultOf('q', { hits: ['a/1'], ...spec }));
      return judged === null ? undefined : rankedBy(judged)?.ranked;
    };
    expect(rankedOf({ chunks: ['a/1'], documents: ['a'] })).toEqual(['a/1']);
    expect(rankedOf({ documents: ['a'] })).toEqual(['a']);
    expect(rankedOf({})).toBeUndefined();
  });
});

/** The metrics of a run with these results, validated against the schema. */
function aggregate(...specs: readonly ResultSpec[]): Metrics {
  const metrics = aggregateResults(specs.map((spec, at) => resultOf(`q${at}`, spec)));
  return parseWire('eval_aggregate', { schema_version: 'eval_aggregate.v1', run_id: 'run_1', metrics }).metrics;
}

const nothingByK = { 1: null, 3: null, 5: null, 10: null };

describe('the metrics of a run', () => {
  it('are null without an applicable query', () => {
    expect(aggregate({ hits: ['a/1'] })).toEqual({
      hit_at_k: nothingByK,
      mrr: null,
      recall_at_k_doc: nothingByK,
      precision_at_k_chunk: nothingByK,
      ndcg_at_k: nothingByK,
      must_contain: null,
      forbidden: null,
      groundedness: null,
      citation_coverage: null,
      refusal_correctness: null,
      over_refusal_rate: null,
      empty_result_rate: 0,
      failed_queries: 0,
    });
    expect(aggregate()).toMatchObject({ mrr: null, empty_result_rate: null, failed_queries: 0 });
  });

  it('are means over the queries with the expectation; the others are excluded, not counted as 0', () => {
    const metrics = aggregate(
      { hits: ['a/1', 'a/2'], chunks: ['a/2'] },
      { hits: ['b/1'], documents: ['b'] },
      { hits: ['c/1', 'c/2', 'c/3'], chunks: ['c/1', 'c/3'], documents: ['c', 'd'] },
      { hits: [] },
    );
    expect(metrics).toMatchObject({
      hit_at_k: { 1: 0.5, 3: 1, 5: 1, 10: 1 },
      mrr: 0.75,
      recall_at_k_doc: { 1: 0.75, 10: 0.75 },
      precision_at_k_chunk: { 1: 0.5, 3: 0.5, 5: 0.3, 10: 0.15 },
      empty_result_rate: 0.25,
    });
  });

  it('are rounded to four decimals', () => {
    const metrics = aggregate({ hits: ['a/1', 'a/2', 'a/3'], chunks: ['a/3'] });
    expect(metrics).toMatchObject({ mrr: 0.3333, ndcg_at_k: { 1: 0, 3: 0.5, 5: 0.5, 10: 0.5 } });
    expect(metrics['precision_at_k_chunk']).toMatchObject({ 3: 0.3333 });
  });

  it('include nDCG by document for queries that expect only documents', () => {
    const metrics = aggregate(
      { hits: ['a/1', 'a/2', 'b/1'], documents: ['b'] },
      { hits: ['a/1', 'b/1'], chunks: ['a/1'], documents: ['b'] },
    );
    // in the first query, document b is second; in the second query, chunk a/1 is first
    expect(metrics['ndcg_at_k']).toMatchObject({ 1: 0.5, 3: 0.8155 });
  });

  it('count refusals in both directions', () => {
    const refusal = { grounded: false, refusal_reason: 'score_gate', citations: [] } as const;
    const metrics = aggregate(
      { answerable: false, answer: refusal },
      { answerable: false, answer: {} },
      { answerable: false, answer: refusal },
      { answer: refusal },
      { answer: {} },
      { answerable: true },
    );
    expect(metrics).toMatchObject({ refusal_correctness: 0.6667, over_refusal_rate: 0.5 });
  });

  it('compare answers with required and forbidden strings', () => {
    const metrics = aggregate(
      { mustContain: ['so'], forbidden: ['never'], answer: {} },
      { mustContain: ['so', 'perhaps'], answer: {} },
      { forbidden: ['It'], answer: {} },
      { mustContain: ['so'], forbidden: ['It'], answer: {} },
      { mustContain: ['not asked'] },
      { answer: {} },
    );
    expect(metrics).toMatchObject({ must_contain: 0.6667, forbidden: 0.3333, groundedness: 0.25 });
  });

  it('measure citation coverage over grounded answers only', () => {
    const moved = {
      uri: 'a.md#L1',
      content_hash: '0'.repeat(16),
      source_id: null,
      status: 'moved',
      verified: null,
    } as const;
    const metrics = aggregate(
      { answer: {} },
      { answer: { citations: [moved] } },
      { answer: { grounded: false, refusal_reason: 'llm_self_judge', citations: [] } },
    );
    expect(metrics).toMatchObject({ citation_coverage: 0.5 });
  });

  it('count failed queries, and exclude them where they have no result', () => {
    const metrics = aggregate(
      { hits: ['a/1'], chunks: ['a/1'], answer: {}, mustContain: ['so'] },
      { unsearched: true, chunks: ['a/1'], mustContain: ['so'], error: 'the index is broken' },
      { hits: ['b/1', 'a/1'], chunks: ['a/1'], mustContain: ['so'], error: 'there is no model' },
    );
    expect(metrics).toMatchObject({ failed_queries: 2, mrr: 0.75, must_contain: 1, empty_result_rate: 0 });
  });
});
