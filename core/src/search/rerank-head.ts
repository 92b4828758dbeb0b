import type { ResolvedConfig } from '../config/resolved-config.ts';
import type { AbortOptions } from '../contracts/contribution.ts';
import type { DocumentStore } from '../contracts/document-store.ts';
import type { Reranker } from '../contracts/reranker.ts';
import type { Passage } from '../contracts/retriever.ts';
import type { ChunkId } from '../domain/ids.ts';
import { embeddingText } from '../embedding/open-embedding.ts';
import { isAbort } from '../errors/abort.ts';
import { isKebabError } from '../errors/kebab-error.ts';
import type { Ports } from '../ports.ts';
import type { Degraded } from '../wire/index.ts';
import { byPlace, type ChunkRank, type Place, placeOfPassage } from './chunk-rank.ts';

/** The reranker of a search, or why there is none. */
export type RerankSide =
  | {
      readonly kind: 'ready';
      readonly reranker: Reranker;
      /** How many entries at the beginning of a list it orders. */
      readonly topN: number;
    }
  | { readonly kind: 'absent'; readonly degraded: Degraded };

/** The configured reranker. Failures are returned, not thrown; aborts pass through. */
export async function findReranker({
  rerankers,
  config,
}: Pick<Ports, 'rerankers'> & { readonly config: Pick<ResolvedConfig, 'models'> }): Promise<RerankSide> {
  const { provider, topN } = config.models.rerank;
  try {
    return { kind: 'ready', reranker: await rerankers.get(provider), topN };
  } catch (error) {
    if (isAbort(error)) throw error;
    return { kind: 'absent', degraded: rerankFailed(error) };
  }
}

/** A list, and what a reranker did to it. */
export interface Reranked {
  readonly entries: readonly ChunkRank[];
  readonly isReranked: boolean;
  readonly degraded: readonly Degraded[];
  readonly rerankMs: number;
}

interface RerankerQuestion extends AbortOptions {
  /** The query without exclusions and quote marks. */
  readonly question: string;
  readonly reranker: RerankSide;
  readonly store: Pick<DocumentStore, 'getPassages'>;
}

/** Asks the reranker for the order of the first entries. Its failures are degradations; aborts pass through. */
export async function askReranker(
  entries: readonly ChunkRank[],
  { question, reranker, store, signal }: RerankerQuestion,
): Promise<Reranked> {
  const asIs = { entries, isReranked: false, degraded: [], rerankMs: 0 };
  if (reranker.kind === 'absent') return { ...asIs, degraded: [reranker.degraded] };
  const started = performance.now();
  const texts = await store.getPassages(entries.slice(0, reranker.topN).map(({ chunkId }) => chunkId));
  const passages = new Map(texts.map((passage) => [passage.chunkId, passage]));
  try {
    const ordered = await rerankHead(
      { query: question, entries, passages, reranker: reranker.reranker, topN: reranker.topN },
      { signal },
    );
    return { ...asIs, entries: ordered, isReranked: true, rerankMs: performance.now() - started };
  } catch (error) {
    if (isAbort(error) || isKebabError(error, 'cancelled')) throw error;
    return { ...asIs, degraded: [rerankFailed(error)], rerankMs: performance.now() - started };
  }
}

/** The degradation of a search that continued without its reranker. */
function rerankFailed(error: unknown): Degraded {
  const message = error instanceof Error ? error.message : String(error);
  const remedy = isKebabError(error) && error.hint !== undefined ? error.hint : 'or set models.rerank.provider to none';
  return { stage: 'rerank', reason: 'reranker_failed', hint: `${message}; ${remedy}` };
}

/** A request to rerank a list. */
interface RerankRequest {
  readonly query: string;
  readonly entries: readonly ChunkRank[];
  readonly passages: ReadonlyMap<ChunkId, Passage>;
  readonly reranker: Reranker;
  /** The number of entries to reorder; the rest stays unchanged. */
  readonly topN: number;
}

/**
 * Orders the first entries of a list by the scores of a reranker, ties by place; these become their scores. The reranker receives headings
 * and text, like an embedder. Throws what it throws, and a TypeError for a result that is not a permutation of its input with scores from 0
 * to 1.
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
