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
