import { judgeResult, rankedBy } from '../metrics/judge-result.ts';
import { metricsOf } from '../metrics/metric-table.ts';
import { firstRelevantRank } from '../metrics/ranking-metrics.ts';
import { roundMetric } from '../metrics/round-metric.ts';
import type { QueryResult } from '../query-result.ts';

/** The text of `per_query.jsonl`: each result with its rank and its own metrics, a JSON object a line. */
export function perQueryLines(results: readonly QueryResult[]): string {
  return results.map((result) => `${JSON.stringify(lineOf(result))}\n`).join('');
}

function lineOf(result: QueryResult): object {
  const judged = judgeResult(result);
  const ranking = judged === null ? null : rankedBy(judged);
  const metrics = [...metricsOf(judged)].map(([name, value]) => [name, value === null ? null : roundMetric(value)]);
  return {
    ...result,
    first_relevant_rank: ranking === null ? null : firstRelevantRank(ranking),
    metrics: Object.fromEntries(metrics) as unknown,
  };
}
