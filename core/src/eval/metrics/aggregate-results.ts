import type { Metrics } from '../../wire/index.ts';
import type { QueryResult } from '../query-result.ts';
import { judgeResult } from './judge-result.ts';
import { CUTOFFS, FAILED_QUERIES, METRICS, metricsOf, nameAtK } from './metric-table.ts';
import { roundMetric } from './round-metric.ts';

/**
 * The metrics of a run: each the mean over the queries that have what it needs, with four decimals, null when none has. A query
 * that failed is counted, and left out of the means of what it did not come to.
 */
export function aggregateResults(results: readonly QueryResult[]): Metrics {
  const values = results.map((result) => metricsOf(judgeResult(result)));
  const mean = (name: string): number | null =>
    meanOf(values.map((metrics) => metrics.get(name) ?? null).filter((value) => value !== null));
  const entries = METRICS.map(({ kind, name }) =>
    kind === 'plain'
      ? ([name, mean(name)] as const)
      : ([name, Object.fromEntries(CUTOFFS.map((k) => [String(k), mean(nameAtK(name, k))]))] as const),
  );
  return { ...Object.fromEntries(entries), [FAILED_QUERIES]: results.filter(({ error }) => error !== null).length };
}

function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : roundMetric(values.reduce((sum, value) => sum + value, 0) / values.length);
}
