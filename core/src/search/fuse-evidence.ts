import type { AnalysedQuery } from '../analysis/analyse-query.ts';
import type { DocumentStore } from '../contracts/document-store.ts';
import type { LexicalIndex } from '../contracts/lexical-index.ts';
import type { RankedChunk, RetrievalRequest } from '../contracts/retriever.ts';
import type { ChunkId } from '../domain/ids.ts';
import { type CosineScale, judgePassages } from '../relevance/estimate-relevance.ts';
import { type QuestionWord, questionWords } from '../relevance/question-words.ts';
import { byScoreThenPlace, type ChunkRank, type SideRank } from './chunk-rank.ts';
import { asksForNames, queryShape } from './query-shape.ts';

/** The lists of one query. */
export interface EvidenceLists {
  readonly lexical: readonly RankedChunk[];
  /** Null when it took no part. */
  readonly vector: { readonly ranking: readonly RankedChunk[]; readonly scale: CosineScale | null } | null;
  /** Of retrievers of plugins. */
  readonly contributed: readonly { readonly id: string; readonly ranking: readonly RankedChunk[] }[];
}

/** What lists are fused with. */
export interface EvidenceRequest {
  readonly retrieval: RetrievalRequest;
  /** As configured. */
  readonly weights: { readonly lexical: number; readonly vector: number; readonly retrievers: number };
  /** Scores of a plugin's retriever mean nothing beside others: its ranks count, with this constant. */
  readonly rrfK: number;
  readonly index: Pick<LexicalIndex, 'analyseQuery' | 'search' | 'termStats'>;
  readonly store: Pick<DocumentStore, 'getPassages' | 'getChunks'>;
  readonly signal?: AbortSignal | undefined;
}

/** What each kind of evidence weighs in one query: the most that it adds to a sum, which is divided by all of them. */
export interface EvidenceWeights {
  readonly lexical: number;
  /** 0 when the vector side took no part. */
  readonly vector: number;
  /** For holding every content word of a short query, as much as words and vectors together; null where it does not count. */
  readonly allWords: number | null;
  readonly why: 'evidence' | 'identifiers' | 'nothing_to_compare';
}

/** A cosine that lies so many standard deviations above the background counts as much as the best of words that hold all. */
const SPREADS_OF_A_MATCH = 5.5;
/** Keeps the order of what words have found when even the best holds nothing of what is asked about. */
const MIN_HELD = 0.01;
/** A query of no more content words asks for passages that hold all of them. */
const FEW_WORDS = 3;
/** Who names a thing from code wants that thing: no more than this share of the lexical weight for what only means the like. */
const SHARE_BESIDE_NAMES = 0.25;

/**
 * Fuses lists by what their scores say, not by their ranks: the second of a list may be worth nearly as much as the first, or
 * nothing.
 *
 * - Words: the square of the BM25 score over the best of the list, times the square root of the share of the question's weight
 *   that the best holds. Words that have found little of what is asked leave more to vectors.
 * - Vectors: the square of how many standard deviations the cosine lies above those of passages drawn at random, over 5.5². What
 *   chance brings about adds next to nothing, and that is measured, so that no model needs a weight of its own.
 * - All words: in a query of at most three content words a passage that holds every one of them has as much once more as words
 *   and vectors together, so that none that lacks one comes before it by these.
 * - A retriever of a plugin: `(rrfK + 1) / (rrfK + rank)` times its weight.
 *
 * The sum is divided by the most that can be had: 1 is best in everything. Best first, ties by place.
 */
export async function fuseEvidence(
  lists: EvidenceLists,
  request: EvidenceRequest,
): Promise<{ readonly entries: readonly ChunkRank[]; readonly weights: EvidenceWeights }> {
  const words = questionWords(request.retrieval.query.embeddingText);
  const whole = await holdingAll(words, lists.lexical, request);
  const weighed = await weigh(lists, words, request);
  const bound = weighed.lexical + weighed.vector;
  const weights = { ...weighed, allWords: whole === null ? null : bound };
  const most = bound + (weights.allWords ?? 0) + lists.contributed.length * request.weights.retrievers;
  const entries = [...addUp(lists, weights, request).values()].map((entry) => {
    const holdsAll = whole?.has(entry.chunkId) === true;
    const score = most === 0 ? 0 : (entry.score + (holdsAll ? bound : 0)) / most;
    return { ...entry, score, fusionScore: score, ...(holdsAll ? { holdsAllWords: true } : {}) };
  });
  return { entries: await byScoreThenPlace(entries, request.store), weights };
}

async function weigh(
  { lexical, vector }: EvidenceLists,
  words: readonly QuestionWord[],
  request: EvidenceRequest,
): Promise<Omit<EvidenceWeights, 'allWords'>> {
  const { weights, retrieval } = request;
  const ofWords = weights.lexical * Math.sqrt(await heldByBest(words, lexical, request));
  if (vector === null) return { lexical: ofWords, vector: 0, why: 'nothing_to_compare' };
  const { ranking, scale } = vector;
  const [best] = ranking;
  const measured = weights.vector * (best === undefined || scale === null ? 0 : standingOut(best.score, scale));
  const most = SHARE_BESIDE_NAMES * ofWords;
  const isCapped = measured > most && lexical.length > 0 && asksForNames(queryShape(retrieval.query));
  return { lexical: ofWords, vector: isCapped ? most : measured, why: isCapped ? 'identifiers' : 'evidence' };
}

/** Each chunk with what its sides add to its score. */
function addUp(
  { lexical, vector, contributed }: EvidenceLists,
  weights: Omit<EvidenceWeights, 'allWords'>,
  { rrfK, weights: configured }: EvidenceRequest,
): ReadonlyMap<ChunkId, ChunkRank> {
  const entries = new Map<ChunkId, ChunkRank>();
  const add = ({ chunkId }: RankedChunk, score: number, side: (known: ChunkRank) => Partial<ChunkRank>): void => {
    const known = entries.get(chunkId) ?? { chunkId, score: 0, lexical: null, vector: null, fusionScore: null };
    entries.set(chunkId, { ...known, ...side(known), score: known.score + score });
  };
  const bestScore = lexical[0]?.score ?? 0;
  for (const hit of lexical) {
    const share = bestScore > 0 ? (hit.score / bestScore) ** 2 : 0;
    add(hit, weights.lexical * share, () => ({ lexical: placeOf(hit) }));
  }
  const background = vector?.scale?.background ?? 0;
  const highest = (vector?.ranking[0]?.score ?? 0) - background;
  for (const hit of vector?.ranking ?? []) {
    const share = highest > 0 ? Math.max(0, (hit.score - background) / highest) ** 2 : 0;
    add(hit, weights.vector * share, () => ({ vector: placeOf(hit) }));
  }
  for (const { id, ranking } of contributed)
    for (const hit of ranking)
      add(hit, (configured.retrievers * (rrfK + 1)) / (rrfK + hit.rank), (known) => ({
        contributed: new Map([...(known.contributed ?? []), [id, placeOf(hit)]]),
      }));
  return entries;
}

function placeOf({ rank, score }: RankedChunk): SideRank {
  return { rank, score };
}

/** How far a cosine stands out of those of passages drawn at random. */
function standingOut(cosine: number, { background, spread }: CosineScale): number {
  return (Math.max(0, cosine - background) / spread / SPREADS_OF_A_MATCH) ** 2;
}

/** The share of the question's weight that the best lexical chunk holds; 1 for a query whose words all say nothing. */
async function heldByBest(
  words: readonly QuestionWord[],
  [best]: readonly RankedChunk[],
  { retrieval, index, store }: EvidenceRequest,
): Promise<number> {
  if (best === undefined) return 0;
  if (words.length === 0) return 1;
  const passages = (await store.getChunks([best.chunkId])).map((found) => ({ found, cosine: null }));
  const [judged] = await judgePassages(retrieval.query.embeddingText, passages, { index, scale: null });
  return Math.max(MIN_HELD, judged?.evidence.held ?? 1);
}

/** The chunks that hold every content word of a short query; null for other queries, and when there are none. */
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
  const found = await index.search(strict, filters, limit, signal === undefined ? {} : { signal });
  return found.length === 0 ? null : new Set(found.map(({ chunkId }) => chunkId));
}
