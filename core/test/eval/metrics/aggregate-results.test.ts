import { describe, expect, it } from 'vitest';
import { aggregateResults } from '../../../src/eval/metrics/aggregate-results.ts';
import { parseWire } from '../../../src/wire/schemas.ts';
import type { Metrics } from '../../../src/wire/index.ts';
import { resultOf, type ResultSpec } from '../query-results.ts';

/** The metrics of a run of these results, checked against the schema. */
function aggregate(...specs: readonly ResultSpec[]): Metrics {
  const metrics = aggregateResults(specs.map((spec, at) => resultOf(`q${at}`, spec)));
  return parseWire('eval_aggregate', { schema_version: 'eval_aggregate.v1', run_id: 'run_1', metrics }).metrics;
}

const nothingByK = { 1: null, 3: null, 5: null, 10: null };

describe('the metrics of a run', () => {
  it('are null without a query that qualifies', () => {
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

  it('are means over the queries that have the expectation; the others are left out, not counted as 0', () => {
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

  it('tell nDCG by documents for queries that expect only those', () => {
    const metrics = aggregate(
      { hits: ['a/1', 'a/2', 'b/1'], documents: ['b'] },
      { hits: ['a/1', 'b/1'], chunks: ['a/1'], documents: ['b'] },
    );
    // of the first, document b is the second; of the second, chunk a/1 is the first
    expect(metrics['ndcg_at_k']).toMatchObject({ 1: 0.5, 3: 0.8155 });
  });

  it('count refusals on either side', () => {
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

  it('hold answers against what they must and must not contain', () => {
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

  it('cover grounded answers only by their citations', () => {
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

  it('count failed queries, and leave them out of what they did not come to', () => {
    const metrics = aggregate(
      { hits: ['a/1'], chunks: ['a/1'], answer: {}, mustContain: ['so'] },
      { unsearched: true, chunks: ['a/1'], mustContain: ['so'], error: 'the index is broken' },
      { hits: ['b/1', 'a/1'], chunks: ['a/1'], mustContain: ['so'], error: 'there is no model' },
    );
    expect(metrics).toMatchObject({ failed_queries: 2, mrr: 0.75, must_contain: 1, empty_result_rate: 0 });
  });
});
