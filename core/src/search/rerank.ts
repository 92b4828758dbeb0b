import type { ResolvedConfig } from '../config/resolved-config.ts';
import type { AbortOptions } from '../contracts/contribution.ts';
import type { Passage } from '../contracts/passage.ts';
import type { Reranker } from '../contracts/reranker.ts';
import type { ChunkId } from '../domain/ids.ts';
import { embeddingText } from '../embedding/embedding-text.ts';
import { isAbort } from '../errors/abort.ts';
import { isKebabError } from '../errors/kebab-error.ts';
import type { Ports } from '../ports.ts';
import { byPlace, type ChunkRank, type Place, placeOfPassage } from './chunk-rank.ts';
import type { Degraded } from '../wire/index.ts';

/** The reranker of a search, or why there is none. */
export type RerankSide =
  | {
      readonly kind: 'ready';
      readonly reranker: Reranker;
      /** It orders the first so many entries of a list. */
      readonly topN: number;
    }
  | { readonly kind: 'absent'; readonly degraded: Degraded };

/** The configured reranker; null when the configuration names none. What fails, fails softly; aborts pass through. */
export async function findReranker({
  rerankers,
  config,
}: Pick<Ports, 'rerankers'> & { readonly config: Pick<ResolvedConfig, 'models'> }): Promise<RerankSide | null> {
  const { provider, topN } = config.models.rerank;
  if (provider === 'none') return null;
  try {
    return { kind: 'ready', reranker: await rerankers.get(provider), topN };
  } catch (error) {
    if (isAbort(error)) throw error;
    return { kind: 'absent', degraded: rerankFailed(error) };
  }
}

/** What a search says that went on without its reranker. */
export function rerankFailed(error: unknown): Degraded {
  const message = error instanceof Error ? error.message : String(error);
  const remedy = isKebabError(error) && error.hint !== undefined ? error.hint : 'or set models.rerank.provider to none';
  return { stage: 'rerank', reason: 'reranker_failed', hint: `${message}; ${remedy}` };
}

/** What is to be reordered. */
interface RerankRequest {
  readonly query: string;
  readonly entries: readonly ChunkRank[];
  readonly passages: ReadonlyMap<ChunkId, Passage>;
  readonly reranker: Reranker;
  /** How many entries of the beginning; the rest stays as it is. */
  readonly topN: number;
}

/**
 * Orders the first entries of a list by the scores of a reranker, ties by place; these scores become their own. A reranker is
 * given headings and text, as an embedder is. Throws what it throws, and a TypeError for an answer that is no permutation of
 * what it was given with scores from 0 to 1.
 */
export async function rerankHead(
  { query, entries, passages, reranker, topN }: RerankRequest,
  options: AbortOptions = {},
): Promise<readonly ChunkRank[]> {
  const head = entries.slice(0, topN).filter(({ chunkId }) => passages.has(chunkId));
  if (head.length === 0) return entries;
  const items = head.map(({ chunkId }) => ({ chunkId, text: embeddingText(passages.get(chunkId) as Passage) }));
  const scores = checked(await reranker.rerank(query, items, options), head);
  const ordered = head
    .map((entry) => ({ entry, score: scores.get(entry.chunkId) ?? 0 }))
    .toSorted(
      (a, b) => b.score - a.score || byPlace(placeIn(passages, a.entry.chunkId), placeIn(passages, b.entry.chunkId)),
    );
  const seen = new Set(head.map(({ chunkId }) => chunkId));
  return [
    ...ordered.map(({ entry, score }, at) => ({ ...entry, score, rerank: { rank: at + 1, score } })),
    ...entries.filter(({ chunkId }) => !seen.has(chunkId)),
  ];
}

function checked(
  answer: readonly { readonly chunkId: ChunkId; readonly score: number }[],
  head: readonly ChunkRank[],
): ReadonlyMap<ChunkId, number> {
  const scores = new Map(answer.map(({ chunkId, score }) => [chunkId, score]));
  const isWhole = answer.length === head.length && head.every(({ chunkId }) => scores.has(chunkId));
  if (!isWhole) throw new TypeError('the reranker did not return each passage once');
  if (![...scores.values()].every((score) => score >= 0 && score <= 1))
    throw new TypeError('the reranker gave a score that is not between 0 and 1');
  return scores;
}

function placeIn(passages: ReadonlyMap<ChunkId, Passage>, id: ChunkId): Place {
  return placeOfPassage(passages.get(id) as Passage);
}
