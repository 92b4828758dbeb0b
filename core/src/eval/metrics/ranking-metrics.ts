import type { QueryResult, ResultAnswer } from '../query-result.ts';

/** A ranked list and what is expected in it. */
export interface Ranking {
  /** Best first, each once. */
  readonly ranked: readonly string[];
  readonly expected: ReadonlySet<string>;
}

/** How far down the reciprocal rank looks. */
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

/** The expected items among the first k, divided by k; also where the list is shorter than k. */
export function precisionAt(ranking: Ranking, k: number): number {
  return relevantIn(ranking, k).length / k;
}

/**
 * Discounted gain of the first k, each expected item gaining 1, divided by what the best order gives. At least one item must
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

/** Whether a text contains each of these strings exactly as they are. */
export function containsAll(text: string, strings: readonly string[]): boolean {
  return strings.every((string) => text.includes(string));
}

/** Whether a text contains none of these strings exactly as they are. */
export function containsNone(text: string, strings: readonly string[]): boolean {
  return strings.every((string) => !text.includes(string));
}

/** Whether an answer has citations, all of them verify as exact, and none has a quotation that its passage lacks. */
export function isCovered({ citations }: Pick<ResultAnswer, 'citations'>): boolean {
  return citations.length > 0 && citations.every(({ status, verified }) => status === 'exact' && verified !== false);
}

/** What hits are judged by: chunk by chunk, or only by the document they lie in. */
export type JudgedBy = 'chunk' | 'document';

/** A result in the form in which metrics look at it. */
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
  /** Null when nothing was asked, or asking failed. */
  readonly answer: ResultAnswer | null;
}

/**
 * Prepares a result for metrics; null when there are no hits to judge, because searching failed. Judged by document, a chunk stands for the document it lies in:
 * so results of different chunkers can be compared.
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

/** What the rank of a query is told by: its chunks, else its documents. */
export function rankedBy({ chunks, documents }: Judged): Ranking | null {
  return chunks ?? documents;
}

function rankingOf(ranked: readonly string[], expected: readonly string[]): Ranking | null {
  return expected.length === 0 ? null : { ranked, expected: new Set(expected) };
}

const PLACES = 10_000;

/** A number with four decimals, as metrics are told. */
export function roundMetric(value: number): number {
  const rounded = Math.round(value * PLACES) / PLACES;
  return rounded === 0 ? 0 : rounded; // no minus zero
}
