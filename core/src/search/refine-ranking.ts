import type { AnalysedQuery } from '../analysis/analysed-query.ts';
import type { ResolvedConfig } from '../config/resolved-config.ts';
import type { Passage } from '../contracts/passage.ts';
import type { ChunkId } from '../domain/ids.ts';
import type { Mode } from '../domain/query.ts';
import { isAbort } from '../errors/abort.ts';
import { isKebabError } from '../errors/kebab-error.ts';
import type { Degraded } from '../wire/index.ts';
import type { ChunkRank } from './chunk-rank.ts';
import { codeQuery, orderCode } from './order-code.ts';
import { rerankFailed, type RerankSide, rerankHead } from './rerank.ts';
import { monotonicMs } from './monotonic-ms.ts';
import type { KnownPassage } from './passage-cache.ts';
import { setDuplicatesBack } from './near-duplicates.ts';
import { queryShape } from './query-shape.ts';
import type { CheckedSearch } from '../requests/search.ts';

/** So many entries of every list are looked at once more, whatever page is asked for. */
const HEAD = 50;

/** A list as it was retrieved or fused. */
export interface RefineRequest {
  readonly query: AnalysedQuery;
  readonly mode: Mode;
  /** The whole list, or more than its first `head` entries. */
  readonly entries: readonly ChunkRank[];
  /** How many entries are reordered; the same for every page of a list. */
  readonly head: number;
  /** Null when none is configured. */
  readonly reranker: RerankSide | null;
  readonly passagesOf: (ids: readonly ChunkId[]) => Promise<ReadonlyMap<ChunkId, KnownPassage>>;
  /** What a reranker reads. */
  readonly textsOf: (ids: readonly ChunkId[]) => Promise<readonly Passage[]>;
  readonly signal?: AbortSignal | undefined;
}

/** The list in its final order. */
export interface RefinedRanking {
  readonly entries: readonly ChunkRank[];
  readonly isReranked: boolean;
  readonly degraded: readonly Degraded[];
  readonly rerankMs: number;
}

/** How many entries are reordered. It depends on the configuration alone, so that it holds for every page. */
export function headLength({ rerank }: Pick<ResolvedConfig['models'], 'rerank'>): number {
  return rerank.provider === 'none' ? HEAD : Math.max(HEAD, rerank.topN);
}

/**
 * Reorders the beginning of a list, by what the passages say: source code, then the reranker, then near-identical
 * passages behind all others. The beginning is always of the same length, so that no page depends on `k` or on another page;
 * what follows it stays as it was.
 */
export async function refineRanking(request: RefineRequest): Promise<RefinedRanking> {
  const { query, mode, entries } = request;
  const head = entries.slice(0, request.head);
  const passages = await request.passagesOf(head.map(({ chunkId }) => chunkId));
  const shape = queryShape(query);
  const coded = orderCode({ entries: head, passages, query: codeQuery(shape), isCosine: mode === 'vector' });
  const reranked = await askReranker(coded, request);
  return { ...reranked, entries: [...setDuplicatesBack(reranked.entries, passages), ...entries.slice(request.head)] };
}

async function askReranker(
  entries: readonly ChunkRank[],
  { query, reranker, textsOf, signal }: RefineRequest,
): Promise<RefinedRanking> {
  const asIs = { entries, isReranked: false, degraded: [], rerankMs: 0 };
  if (reranker === null) return asIs;
  if (reranker.kind === 'absent') return { ...asIs, degraded: [reranker.degraded] };
  const started = monotonicMs();
  const texts = await textsOf(entries.slice(0, reranker.topN).map(({ chunkId }) => chunkId));
  const passages = new Map(texts.map((passage) => [passage.chunkId, passage]));
  try {
    const ordered = await rerankHead(
      { query: query.embeddingText, entries, passages, reranker: reranker.reranker, topN: reranker.topN },
      signal === undefined ? {} : { signal },
    );
    return { ...asIs, entries: ordered, isReranked: true, rerankMs: monotonicMs() - started };
  } catch (error) {
    if (isAbort(error) || isKebabError(error, 'cancelled')) throw error;
    return { ...asIs, degraded: [rerankFailed(error)], rerankMs: monotonicMs() - started };
  }
}

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
