import type { ResolvedConfig } from '../config/resolved-config.ts';
import type { CheckedSearch } from '../requests/search.ts';

/** Grows when the same lists are put in another order; a cursor then belongs to another list. */
const RANKING_RULES = 4;

/** The settings that the order of a list depends on. */
export function rankingSettings(
  { search, models }: Pick<ResolvedConfig, 'search' | 'models'>,
  asked: Pick<CheckedSearch, 'minRelevance' | 'minScore'>,
): Readonly<Record<string, number | string>> {
  const { hybridFusion, rrfK, weightLexical, weightVector, weightRetrievers, candidates } = search;
  const minRelevance = asked.minRelevance === null ? `configured ${search.minRelevance}` : asked.minRelevance;
  const { embedding, rerank } = models;
  const { provider, model, version } = embedding;
  const reranker = rerank.provider === 'none' ? 'none' : `${rerank.provider} ${rerank.model} ${rerank.topN}`;
  return {
    hybridFusion,
    rrfK,
    weightLexical,
    weightVector,
    weightRetrievers,
    candidates,
    minRelevance,
    provider,
    model,
    version,
    reranker,
    rules: RANKING_RULES,
    ...(asked.minScore === null ? {} : { minScore: asked.minScore }),
  };
}
