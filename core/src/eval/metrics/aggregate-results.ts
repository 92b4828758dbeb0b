import {
  containsAll,
  containsNone,
  hitAt,
  isCovered,
  type Judged,
  judgeResult,
  ndcgAt,
  precisionAt,
  rankedBy,
  type Ranking,
  recallAt,
  reciprocalRank,
  roundMetric,
} from './ranking-metrics.ts';
import type { QueryResult } from '../query-result.ts';
import type { Metrics } from '../../wire/index.ts';

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

/** The depths at which metrics that depend on one are told. */
export const CUTOFFS = [1, 3, 5, 10] as const;

/** A metric of one query; null when the query lacks what it needs. Its mean over the others is what a run is told by. */
type Metric =
  | { readonly kind: 'plain'; readonly name: string; readonly of: (judged: Judged) => number | null }
  | { readonly kind: 'by_k'; readonly name: string; readonly of: (judged: Judged, k: number) => number | null };

/** Every metric that is a mean over queries, in the order in which they are told. */
export const METRICS: readonly Metric[] = [
  { kind: 'by_k', name: 'hit_at_k', of: ({ chunks }, k) => given(chunks, (ranking) => hitAt(ranking, k)) },
  { kind: 'plain', name: 'mrr', of: ({ chunks }) => given(chunks, reciprocalRank) },
  { kind: 'by_k', name: 'recall_at_k_doc', of: ({ documents }, k) => given(documents, (each) => recallAt(each, k)) },
  { kind: 'by_k', name: 'precision_at_k_chunk', of: chunkPrecision },
  { kind: 'by_k', name: 'ndcg_at_k', of: (judged, k) => given(rankedBy(judged), (ranking) => ndcgAt(ranking, k)) },
  { kind: 'plain', name: 'must_contain', of: mustContain },
  { kind: 'plain', name: 'forbidden', of: forbidden },
  { kind: 'plain', name: 'groundedness', of: groundedness },
  {
    kind: 'plain',
    name: 'citation_coverage',
    of: ({ answer }) => (answer?.grounded === true ? Number(isCovered(answer)) : null),
  },
  { kind: 'plain', name: 'refusal_correctness', of: (judged) => (judged.answerable ? null : refused(judged)) },
  { kind: 'plain', name: 'over_refusal_rate', of: (judged) => (judged.answerable ? refused(judged) : null) },
  { kind: 'plain', name: 'empty_result_rate', of: ({ hasHits }) => (hasHits ? 0 : 1) },
];

/** How many queries of a run failed; the one metric that is a count. */
export const FAILED_QUERIES = 'failed_queries';

/** The name of a metric at one depth: `hit_at_k` at 5 is `hit_at_5`. */
export function nameAtK(name: string, k: number): string {
  return name.replace('_k', `_${k}`);
}

/** Every metric of one result by flat name; all null for a query whose search failed. */
export function metricsOf(judged: Judged | null): ReadonlyMap<string, number | null> {
  const values = METRICS.flatMap((metric): readonly (readonly [string, number | null])[] =>
    metric.kind === 'plain'
      ? [[metric.name, judged === null ? null : metric.of(judged)]]
      : CUTOFFS.map((k) => [nameAtK(metric.name, k), judged === null ? null : metric.of(judged, k)]),
  );
  return new Map(values);
}

/** Where chunks stand for documents there is nothing to be precise about. */
function chunkPrecision({ chunks, judgedBy }: Judged, k: number): number | null {
  return judgedBy === 'chunk' ? given(chunks, (ranking) => precisionAt(ranking, k)) : null;
}

function mustContain({ answer, mustContain: strings }: Judged): number | null {
  return answer === null || strings.length === 0 ? null : Number(containsAll(answer.text, strings));
}

function forbidden({ answer, forbidden: strings }: Judged): number | null {
  return answer === null || strings.length === 0 ? null : Number(containsNone(answer.text, strings));
}

/** Both of the above; a query that asks for one of them only is judged by that. */
function groundedness(judged: Judged): number | null {
  const parts = [mustContain(judged), forbidden(judged)].filter((part) => part !== null);
  return parts.length === 0 ? null : Math.min(...parts);
}

function refused({ answer }: Judged): number | null {
  return answer === null ? null : Number(!answer.grounded);
}

function given(ranking: Ranking | null, of: (ranking: Ranking) => number): number | null {
  return ranking === null ? null : of(ranking);
}
