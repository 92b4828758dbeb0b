import { blake3Short } from '../domain/blake3.ts';
import { fingerprintOf } from '../domain/policy-hash.ts';
import { type CursorState, requireStages, type Stage, stageName } from '../paging/cursor.ts';
import type { ContributedRetriever } from './contributed-retrievers.ts';
import { likelyStages, type Ranking, type RankRequest } from './rank-chunks.ts';
import type { RerankSide } from './refine-ranking.ts';
import type { VectorSide } from './sides.ts';

/** The sides of a search besides the lexical one, each absent if it is unavailable. */
export interface Sides {
  readonly vector: VectorSide | null;
  readonly contributed: readonly ContributedRetriever[];
  readonly reranker: RerankSide | null;
}

/** A list that began without vectors, a retriever or a reranker continues without them, even if they are available now. */
export function beginningAs(cursor: CursorState | null, { vector, contributed, reranker }: Sides): Sides {
  if (cursor === null) return { vector, contributed, reranker };
  const names = new Set(cursor.stages.map(stageName));
  return {
    vector: !names.has('vector') && vector?.kind === 'ready' ? null : vector,
    contributed: contributed.filter((one) => one.kind === 'absent' || names.has(stageName(one.stage))),
    reranker: !names.has('rerank') && reranker?.kind === 'ready' ? null : reranker,
  };
}

/** The stages of a list as cursors name them. Lists with equal stages were ranked by the same models. */
export function namedStages(stages: readonly Stage[], { vector, reranker }: Sides): readonly Stage[] {
  return stages.map((stage): Stage => {
    if (stage === 'vector' && vector?.kind === 'ready') return `vector@${blake3Short(vector.retriever.indexVersion())}`;
    if (stage === 'rerank' && reranker?.kind === 'ready')
      return `rerank@${blake3Short(`${fingerprintOf(reranker.reranker)} ${reranker.topN}`)}`;
    return stage;
  });
}

/** Throws `stale_cursor` when a list cannot continue as it began, because a stage that ranked it is unavailable or has been replaced. */
export function requireToBegin(cursor: CursorState, request: RankRequest, sides: Sides): void {
  requireStages(cursor, namedStages(likelyStages(request), sides), (stage) => absenceOf(stage, sides));
}

/** Like {@link requireToBegin}, after ranking: a stage can also fail while it ranks. */
export function requireRanked(cursor: CursorState, { stages, degraded }: Ranking, sides: Sides): void {
  const failed = (stage: Stage): string | undefined =>
    degraded.find((one) => one.stage === stageName(stage).replace(/:.*$/, ''))?.reason;
  requireStages(cursor, namedStages(stages, sides), failed);
}

function absenceOf(stage: Stage, { vector, reranker }: Sides): string | undefined {
  const side = stageName(stage) === 'vector' ? vector : stageName(stage) === 'rerank' ? reranker : null;
  return side?.kind === 'absent' ? side.degraded.reason : undefined;
}
