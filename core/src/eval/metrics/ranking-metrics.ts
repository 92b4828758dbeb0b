import type { Metrics } from '../../wire/index.ts';
import type { QueryResult, ResultAnswer } from '../query-result.ts';

/** A ranked list and the expected items. */
export interface Ranking {
  /** Best first, without duplicates. */
  readonly ranked: readonly string[];
  readonly expected: ReadonlySet<string>;
}

/** The cutoff of the reciprocal rank. */
const MRR_DEPTH = 10;

/** The rank of the first expected item, from 1; null when there is none. */
export function firstRelevantRank({ ranked, expected }: Ranking): number | null {
  const at = ranked.findIndex((item) => expected.has(item));
  return at === -1 ? null : at + 1;
}

/** 1 when an expected item is among the first k, else 0. */
export function hitAt(ranking: Ranking, k: number): number {
  const rank = firstRelevantRank(ranking);
  return rank !== null && rank <= k ? 1 : 0;
}

/** 1 / rank of the first expected item within the first ten, else 0. */
export function reciprocalRank(ranking: Ranking): number {
  const rank = firstRelevantRank(ranking);
  return rank !== null && rank <= MRR_DEPTH ? 1 / rank : 0;
}

/** The share of the expected items that is among the first k. At least one item must be expected. */
export function recallAt(ranking: Ranking, k: number): number {
  return relevantIn(ranking, k).length / ranking.expected.size;
}

/** The expected items among the first k, divided by k, even if the list is shorter than k. */
export function precisionAt(ranking: Ranking, k: number): number {
  return relevantIn(ranking, k).length / k;
}

/**
 * Discounted cumulative gain of the first k, with a gain of 1 per expected item, divided by that of the ideal order. At least one item must
 * be expected.
 */
export function ndcgAt({ ranked, expected }: Ranking, k: number): number {
  const gains = ranked.slice(0, k).map((item) => (expected.has(item) ? 1 : 0));
  const ideal = Array.from({ length: Math.min(k, expected.size) }, () => 1);
  return discounted(gains) / discounted(ideal);
}

function relevantIn({ ranked, expected }: Ranking, k: number): readonly string[] {
  return ranked.slice(0, k).filter((item) => expected.has(item));
}

function discounted(gains: readonly number[]): number {
  return gains.reduce((sum, gain, at) => sum + gain / Math.log2(at + 2), 0);
}

/** Whether an answer has citations, all of them are verified as exact, and none has a quotation that is missing from its passage. */
export function isCovered({ citations }: Pick<ResultAnswer, 'citations'>): boolean {
  return citations.length > 0 && citations.every(({ status, verified }) => status === 'exact' && verified !== false);
}

/** How hits are judged: by chunk, or only by document. */
export type JudgedBy = 'chunk' | 'document';

/** A result prepared for metrics. */
export interface Judged {
  /** Hits against expected chunks; null when no chunk is expected. */
  readonly chunks: Ranking | null;
  /** The documents of the hits in order of their first hit, against expected ones; null when no document is expected. */
  readonly documents: Ranking | null;
  readonly judgedBy: JudgedBy;
  readonly hasHits: boolean;
  readonly mustContain: readonly string[];
  readonly forbidden: readonly string[];
  readonly answerable: boolean;
  /** Null when no question was asked, or asking failed. */
  readonly answer: ResultAnswer | null;
}

/**
 * Prepares a result for metrics; null when there are no hits to judge, because the search failed. When judged by document, a chunk counts
 * as its document, so that results of different chunkers can be compared.
 */
export function judgeResult(result: QueryResult, judgedBy: JudgedBy = 'chunk'): Judged | null {
  const { retrieval, expected } = result;
  if (retrieval === null) return null;
  const documents = [...new Set(retrieval.hits.map(({ document }) => document))];
  const chunks = retrieval.hits.map(({ chunk_id: id }) => id);
  return {
    chunks:
      judgedBy === 'chunk'
        ? rankingOf(
            chunks,
            expected.chunks.map(({ chunk_id: id }) => id),
          )
        : rankingOf(
            documents,
            expected.chunks.map(({ document }) => document),
          ),
    documents: rankingOf(documents, expected.documents),
    judgedBy,
    hasHits: retrieval.hits.length > 0,
    mustContain: expected.must_contain,
    forbidden: expected.forbidden,
    answerable: result.answerable,
    answer: result.answer,
  };
}

/** The ranking that determines the rank of a query: its chunks, else its documents. */
export function rankedBy({ chunks, documents }: Judged): Ranking | null {
  return chunks ?? documents;
}

function rankingOf(ranked: readonly string[], expected: readonly string[]): Ranking | null {
  return expected.length === 0 ? null : { ranked, expected: new Set(expected) };
}

const PLACES = 10_000;

/** Rounds a metric to four decimals, as reported. */
export function roundMetric(value: number): number {
  const rounded = Math.round(value * PLACES) / PLACES;
  return rounded === 0 ? 0 : rounded; // no negative zero
}

/**
 * The metrics of a run: each is the mean over the queries to which it applies, with four decimals, null when there are none. A failed query
 * is counted, and excluded from the means of metrics it has no result for.
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

/** The cutoffs at which metrics with a cutoff are reported. */
export const CUTOFFS = [1, 3, 5, 10] as const;

/** A metric of one query; null when it does not apply to the query. A run reports its mean over the others. */
type Metric =
  | { readonly kind: 'plain'; readonly name: string; readonly of: (judged: Judged) => number | null }
  | { readonly kind: 'by_k'; readonly name: string; readonly of: (judged: Judged, k: number) => number | null };

/** Every metric that is a mean over queries, in the order of the report. */
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

/** The number of failed queries of a run; the only metric that is a count. */
export const FAILED_QUERIES = 'failed_queries';

/** The name of a metric at one cutoff: `hit_at_k` at 5 is `hit_at_5`. */
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

/** When judged by document, precision is not meaningful. */
function chunkPrecision({ chunks, judgedBy }: Judged, k: number): number | null {
  return judgedBy === 'chunk' ? given(chunks, (ranking) => precisionAt(ranking, k)) : null;
}

function mustContain({ answer, mustContain: strings }: Judged): number | null {
  return answer === null || strings.length === 0
    ? null
    : Number(strings.every((string) => answer.text.includes(string)));
}

function forbidden({ answer, forbidden: strings }: Judged): number | null {
  return answer === null || strings.length === 0
    ? null
    : Number(!strings.some((string) => answer.text.includes(string)));
}

/** Both of the above; a query that requires only one of them is judged by that. */
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
