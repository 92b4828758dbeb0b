import type { EvalCompare } from '../../wire/index.ts';
import { judgeResult, rankedBy, type Judged, type JudgedBy } from '../metrics/judge-result.ts';
import { CUTOFFS, FAILED_QUERIES, METRICS, metricsOf, nameAtK } from '../metrics/metric-table.ts';
import { firstRelevantRank } from '../metrics/ranking-metrics.ts';
import { roundMetric } from '../metrics/round-metric.ts';
import type { QueryResult } from '../query-result.ts';
import { bootstrapInterval } from './bootstrap-interval.ts';
import { outcomeOf } from './outcome-of.ts';

/** One query in both runs. */
interface Pair {
  readonly id: string;
  readonly a: Side;
  readonly b: Side;
}

/** A query in one run. */
interface Side {
  readonly metrics: ReadonlyMap<string, number | null>;
  readonly rank: number | null;
  readonly failed: boolean;
}

type Compared = EvalCompare['metrics'][string];

/**
 * Compares two runs over the queries that both have, in the order of the first. A metric is compared over the pairs that have
 * it on both sides: a and b are their means, delta is b − a as told.
 */
export function compareResults(
  a: readonly QueryResult[],
  b: readonly QueryResult[],
  judgedBy: JudgedBy,
): Pick<EvalCompare, 'metrics' | 'queries'> {
  const others = new Map(b.map((result) => [result.query_id, result]));
  const pairs = a.flatMap((result): readonly Pair[] => {
    const other = others.get(result.query_id);
    if (other === undefined) return [];
    return [{ id: result.query_id, a: sideOf(result, judgedBy), b: sideOf(other, judgedBy) }];
  });
  return {
    metrics: {
      ...Object.fromEntries(metricNames().map((name) => [name, compareMetric(name, pairs)])),
      [FAILED_QUERIES]: compareFailures(pairs),
    },
    queries: pairs.map(({ id, a: { rank: rankA }, b: { rank: rankB } }) => ({
      id,
      outcome: outcomeOf(rankA, rankB),
      rank_a: rankA,
      rank_b: rankB,
    })),
  };
}

function metricNames(): readonly string[] {
  return METRICS.flatMap(({ kind, name }) => (kind === 'plain' ? [name] : CUTOFFS.map((k) => nameAtK(name, k))));
}

function sideOf(result: QueryResult, judgedBy: JudgedBy): Side {
  const judged = judgeResult(result, judgedBy);
  return { metrics: metricsOf(judged), rank: rankOf(judged), failed: result.error !== null };
}

function rankOf(judged: Judged | null): number | null {
  const ranking = judged === null ? null : rankedBy(judged);
  return ranking === null ? null : firstRelevantRank(ranking);
}

function compareMetric(name: string, pairs: readonly Pair[]): Compared {
  const values = pairs.flatMap(({ a, b }) => {
    const [ofA, ofB] = [a.metrics.get(name) ?? null, b.metrics.get(name) ?? null];
    return ofA === null || ofB === null ? [] : [{ ofA, ofB }];
  });
  if (values.length === 0) return { a: null, b: null, delta: null, ci95: null };
  const a = roundMetric(mean(values.map(({ ofA }) => ofA)));
  const b = roundMetric(mean(values.map(({ ofB }) => ofB)));
  const interval = bootstrapInterval(values.map(({ ofA, ofB }) => ofB - ofA));
  return {
    a,
    b,
    delta: roundMetric(b - a),
    ci95: interval === null ? null : [roundMetric(interval[0]), roundMetric(interval[1])],
  };
}

/** A count, which has no interval. */
function compareFailures(pairs: readonly Pair[]): Compared {
  const a = pairs.filter((pair) => pair.a.failed).length;
  const b = pairs.filter((pair) => pair.b.failed).length;
  return { a, b, delta: b - a, ci95: null };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
