import type { AnalysedQuery } from '../analysis/analyse-query.ts';
import type { DocumentStore } from '../contracts/document-store.ts';
import type { LexicalIndex } from '../contracts/lexical-index.ts';
import type { RankedChunk, RetrievalRequest } from '../contracts/retriever.ts';
import type { ChunkId } from '../domain/ids.ts';
import { type CosineScale, judgePassages } from '../relevance/estimate-relevance.ts';
import { type QuestionWord, questionWords } from '../relevance/question-words.ts';
import type { ChunkRank, SideRank } from './chunk-rank.ts';
import { asksForNames, queryShape } from './query-shape.ts';

/** The lists for one query. */
export interface EvidenceLists {
  readonly lexical: readonly RankedChunk[];
  /** Null when it took no part. */
  readonly vector: { readonly ranking: readonly RankedChunk[]; readonly scale: CosineScale | null } | null;
  /** Of plugin retrievers. */
  readonly contributed: readonly { readonly id: string; readonly ranking: readonly RankedChunk[] }[];
}

/** The parameters of the fusion. */
export interface EvidenceRequest {
  /** By what the scores say, or by reciprocal ranks alone. */
  readonly method: 'relevance' | 'rrf';
  readonly retrieval: RetrievalRequest;
  /** As configured. */
  readonly weights: { readonly lexical: number; readonly vector: number; readonly retrievers: number };
  /** The constant of a share by rank. */
  readonly rrfK: number;
  readonly index: Pick<LexicalIndex, 'analyseQuery' | 'search' | 'termStats'>;
  readonly store: Pick<DocumentStore, 'getChunks'>;
  readonly signal?: AbortSignal | undefined;
}

/** The weight of each kind of evidence in one query: the maximum that it adds to a sum, which is divided by the total of these. */
export interface EvidenceWeights {
  readonly lexical: number;
  /** 0 when the vector side took no part. */
  readonly vector: number;
  /** For containing every content word of a short query, as much as words and vectors together; null where it does not count. */
  readonly allWords: number | null;
  readonly why: 'evidence' | 'identifiers' | 'nothing_to_compare';
}

/** A cosine this many standard deviations above the background counts as much as the best lexical score for a passage with all words. */
const SPREADS_OF_A_MATCH = 5.5;
/** Preserves the lexical order even when the best passage contains nothing of the question. */
const MIN_HELD = 0.01;
/** For a query with at most this many content words, passages with all of them rank first. */
const FEW_WORDS = 3;
/** A query that names something in code wants exactly that: vectors get at most this share of the lexical weight. */
const SHARE_BESIDE_NAMES = 0.25;

/**
 * Fuses lists by their scores, not by their ranks: the second entry of a list may be worth nearly as much as the first, or nothing.
 *
 * - Words: the square of the BM25 score relative to the best of the list, times the square root of the share of the question's weight that
 *   the best contains. When words found little of the question, vectors count for more.
 * - Vectors: the square of how many standard deviations the cosine lies above those of random passages, over 5.5². Cosines at chance level
 *   add next to nothing, and that level is measured, so that no model needs its own weight.
 * - All words: for a query of at most three content words, a passage that contains every one of them gets as much again as words and
 *   vectors together, so that no passage that lacks one ranks above it by these.
 * - A plugin retriever: `(rrfK + 1) / (rrfK + rank)` times its weight, since its scores are not comparable with others.
 *
 * By the method `rrf` every list is fused by its ranks like that of a plugin retriever, and all words count for nothing.
 * The sum is divided by its maximum: 1 is best in everything. Best first, ties in the order of the lists, words first.
 */
export async function fuseEvidence(
  lists: EvidenceLists,
  request: EvidenceRequest,
): Promise<{ readonly entries: readonly ChunkRank[]; readonly weights: EvidenceWeights }> {
  const words = questionWords(request.retrieval.query.embeddingText);
  const whole = request.method === 'rrf' ? null : await holdingAll(words, lists.lexical, request);
  const weighed = await weighSides(lists, request);
  const bound = weighed.lexical + weighed.vector;
  const weights = { ...weighed, allWords: whole === null ? null : bound };
  const most = bound + (weights.allWords ?? 0) + lists.contributed.length * request.weights.retrievers;
  const entries = [...addUp(lists, weights, request).values()].map((entry) => {
    const holdsAll = whole?.has(entry.chunkId) === true;
    const score = most === 0 ? 0 : (entry.score + (holdsAll ? bound : 0)) / most;
    return { ...entry, score, fusionScore: score, ...(holdsAll ? { holdsAllWords: true } : {}) };
  });
  return { entries: entries.toSorted((a, b) => b.score - a.score), weights };
}

/** Weighs the sides of one query by what their best passages show. */
async function weighSides(
  { lexical, vector }: EvidenceLists,
  request: EvidenceRequest,
): Promise<Omit<EvidenceWeights, 'allWords'>> {
  const { weights, retrieval } = request;
  const ofWords = weights.lexical * Math.sqrt(await heldByBest(lexical, request));
  if (vector === null) return { lexical: ofWords, vector: 0, why: 'nothing_to_compare' };
  const { ranking, scale } = vector;
  const [best] = ranking;
  const measured = weights.vector * (best === undefined || scale === null ? 0 : standingOut(best.score, scale));
  const most = SHARE_BESIDE_NAMES * ofWords;
  const isCapped = measured > most && lexical.length > 0 && asksForNames(queryShape(retrieval.query));
  return { lexical: ofWords, vector: isCapped ? most : measured, why: isCapped ? 'identifiers' : 'evidence' };
}

/** Sums the contributions of the sides for each chunk. */
function addUp(
  { lexical, vector, contributed }: EvidenceLists,
  weights: Omit<EvidenceWeights, 'allWords'>,
  { method, rrfK, weights: configured }: EvidenceRequest,
): ReadonlyMap<ChunkId, ChunkRank> {
  const entries = new Map<ChunkId, ChunkRank>();
  const add = ({ chunkId }: RankedChunk, score: number, side: (known: ChunkRank) => Partial<ChunkRank>): void => {
    const known = entries.get(chunkId) ?? { chunkId, score: 0, lexical: null, vector: null, fusionScore: null };
    entries.set(chunkId, { ...known, ...side(known), score: known.score + score });
  };
  const byRank = ({ rank }: RankedChunk): number => (rrfK + 1) / (rrfK + rank);
  const shareOf = method === 'rrf' ? byRank : byScore;
  for (const hit of lexical) add(hit, weights.lexical * shareOf(hit, lexical), () => ({ lexical: placeOf(hit) }));
  const { ranking: near, scale } = vector ?? { ranking: [], scale: null };
  for (const hit of near)
    add(hit, weights.vector * shareOf(hit, near, scale?.background), () => ({ vector: placeOf(hit) }));
  for (const { id, ranking } of contributed)
    for (const hit of ranking)
      add(hit, configured.retrievers * byRank(hit), (known) => ({
        contributed: new Map([...(known.contributed ?? []), [id, placeOf(hit)]]),
      }));
  return entries;
}

/** The square of the share of a hit relative to the best of its list, both above a background. */
function byScore({ score }: RankedChunk, [best]: readonly RankedChunk[], background = 0): number {
  const highest = (best?.score ?? 0) - background;
  return highest > 0 ? Math.max(0, (score - background) / highest) ** 2 : 0;
}

function placeOf({ rank, score }: RankedChunk): SideRank {
  return { rank, score };
}

/** How far a cosine stands out from those of random passages. */
function standingOut(cosine: number, { background, spread }: CosineScale): number {
  return (Math.max(0, cosine - background) / spread / SPREADS_OF_A_MATCH) ** 2;
}

/** The share of the question's weight that the best lexical chunk contains; 1 for a query without content words. */
async function heldByBest(
  [best]: readonly RankedChunk[],
  { retrieval, index, store }: EvidenceRequest,
): Promise<number> {
  if (best === undefined) return 0;
  if (questionWords(retrieval.query.embeddingText).length === 0) return 1;
  const passages = (await store.getChunks([best.chunkId])).map((found) => ({ found, cosine: null }));
  const [judged] = await judgePassages(retrieval.query.embeddingText, passages, { index, scale: null });
  return Math.max(MIN_HELD, judged?.evidence.held ?? 1);
}

/** The chunks that contain every content word of a short query; null for other queries, and when there are none. */
async function holdingAll(
  words: readonly QuestionWord[],
  lexical: readonly RankedChunk[],
  { retrieval, index, signal }: EvidenceRequest,
): Promise<ReadonlySet<ChunkId> | null> {
  if (lexical.length === 0 || words.length === 0 || words.length > FEW_WORDS) return null;
  const { query, filters, limit } = retrieval;
  const demands = words.map((word) => `+"${word.kind === 'cjk' ? word.stem : word.folded}"`).join(' ');
  const { phrases } = index.analyseQuery(demands);
  const strict: AnalysedQuery = { ...query, phrases: [...query.phrases, ...phrases], weaker: undefined };
  const hits = await index.search(strict, filters, limit, { signal });
  return hits.length === 0 ? null : new Set(hits.map(({ chunkId }) => chunkId));
}
