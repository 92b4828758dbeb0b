/** Ranking quality of one query or, as means, of a set. */
export interface RankingMetrics {
  readonly ndcg10: number;
  readonly recall10: number;
  readonly mrr10: number;
}

/**
 * Scores a ranked list of document ids against graded judgments: nDCG@10 with linear gain (like trec_eval), the share of judged documents
 * in the first ten, and the reciprocal rank of the first judged one.
 */
export function rankingMetrics(ranked: readonly string[], grades: ReadonlyMap<string, number>): RankingMetrics {
  const top = [...new Set(ranked)].slice(0, 10);
  const ideal = [...grades.values()].toSorted((a, b) => b - a).slice(0, 10);
  const first = top.findIndex((id) => grades.has(id));
  return {
    ndcg10: discounted(top.map((id) => grades.get(id) ?? 0)) / discounted(ideal),
    recall10: top.filter((id) => grades.has(id)).length / grades.size,
    mrr10: first === -1 ? 0 : 1 / (first + 1),
  };
}

function discounted(gains: readonly number[]): number {
  return gains.reduce((sum, gain, index) => sum + gain / Math.log2(index + 2), 0);
}

/** The means over queries. */
export function meanMetrics(all: readonly RankingMetrics[]): RankingMetrics {
  const mean = (of: (metrics: RankingMetrics) => number): number =>
    all.reduce((sum, metrics) => sum + of(metrics), 0) / all.length;
  return { ndcg10: mean((m) => m.ndcg10), recall10: mean((m) => m.recall10), mrr10: mean((m) => m.mrr10) };
}
