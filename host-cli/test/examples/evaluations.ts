import type { EvalAggregate, EvalCompare, EvalRun, Metrics } from '@kebab/core/app';
import { home } from './reports.ts';
import { time } from './searches.ts';

const nothingByK = { 1: null, 3: null, 5: null, 10: null };

const metrics: Metrics = {
  hit_at_k: { 1: 0.5, 3: 0.75, 5: 0.75, 10: 1 },
  mrr: 0.6458,
  recall_at_k_doc: { 1: 0.5, 3: 0.75, 5: 1, 10: 1 },
  precision_at_k_chunk: nothingByK,
  must_contain: null,
  refusal_correctness: 1,
  empty_result_rate: 0,
  failed_queries: 1,
};

export const evalRun: EvalRun = {
  schema_version: 'eval_run.v1',
  run_id: 'run_018e5c3a0b7d',
  suite: `${home}/kb/fixtures/golden_queries.yaml`,
  queries: 5,
  failed: 1,
  aggregate: metrics,
  created_at: time,
};

export const evalAggregate: EvalAggregate = {
  schema_version: 'eval_aggregate.v1',
  run_id: evalRun.run_id,
  metrics: { ...metrics, failed_queries: 0 },
};

export const evalCompare: EvalCompare = {
  schema_version: 'eval_compare.v1',
  a: evalRun.run_id,
  b: 'run_018e5c3a0b7e',
  metrics: {
    hit_at_1: { a: 0.5, b: 0.75, delta: 0.25, ci95: [-0.25, 0.75] },
    mrr: { a: 0.6458, b: 0.5, delta: -0.1458, ci95: null },
    must_contain: { a: null, b: null, delta: null, ci95: null },
    failed_queries: { a: 1, b: 0, delta: -1, ci95: null },
  },
  queries: [
    { id: 'same', outcome: 'draw', rank_a: 1, rank_b: 1 },
    { id: 'better', outcome: 'win', rank_a: 10, rank_b: 1 },
    { id: 'new', outcome: 'win', rank_a: null, rank_b: 2 },
    { id: 'worse', outcome: 'loss', rank_a: 1, rank_b: 2 },
    { id: 'gone', outcome: 'regression', rank_a: 3, rank_b: null },
  ],
};
