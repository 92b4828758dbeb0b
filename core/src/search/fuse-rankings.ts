import type { DocumentStore } from '../contracts/document-store.ts';
import type { RankedChunk } from '../contracts/retriever.ts';
import type { ChunkId } from '../domain/ids.ts';
import { byScoreThenPlace, type ChunkRank, type SideRank } from './chunk-rank.ts';
import { asksForNames, type QueryShape } from './query-shape.ts';

/** One retriever's list and its weight. */
export interface WeightedRanking {
  /** A plugin retriever is named by its id. */
  readonly side: 'lexical' | 'vector' | { readonly contributed: string };
  readonly weight: number;
  /** Best first, as its retriever ranked it. */
  readonly ranking: readonly RankedChunk[];
}

/** The parameters of the fusion. */
interface FusionSettings {
  readonly rrfK: number;
  /** Provides the places of chunks with equal fused scores. */
  readonly store: Pick<DocumentStore, 'getPassages'>;
}

/**
 * Reciprocal rank fusion: `Σ weight / (rrfK + rank)` over the sides that returned a chunk, divided by its maximum, so that first place on
 * every side is 1. Best first; ties by place.
 */
export function fuseRankings(
  sides: readonly WeightedRanking[],
  settings: FusionSettings,
): Promise<readonly ChunkRank[]> {
  const best = sides.reduce((sum, { weight }) => sum + weight / (settings.rrfK + 1), 0);
  const fused = new Map<ChunkId, ChunkRank>();
  for (const { side, weight, ranking } of sides) {
    for (const { chunkId, rank, score } of ranking) {
      const known = fused.get(chunkId) ?? { chunkId, score: 0, lexical: null, vector: null, fusionScore: 0 };
      const raw = known.score + weight / (settings.rrfK + rank);
      fused.set(chunkId, { ...known, score: raw, ...givenBy(side, { rank, score }, known) });
    }
  }
  const entries = [...fused.values()].map((entry) => normalised(entry, best));
  return byScoreThenPlace(entries, settings.store);
}

function givenBy(side: WeightedRanking['side'], rank: SideRank, { contributed }: ChunkRank): Partial<ChunkRank> {
  if (side === 'lexical') return { lexical: rank };
  if (side === 'vector') return { vector: rank };
  return { contributed: new Map([...(contributed ?? []), [side.contributed, rank]]) };
}

function normalised(entry: ChunkRank, best: number): ChunkRank {
  const score = best === 0 ? 0 : entry.score / best;
  return { ...entry, score, fusionScore: score };
}

/** The weight of the vector list of one query relative to the lexical one, with its inputs. */
export interface VectorWeight {
  /** Above 0, at most 1: 1 is worth as much as the lexical list. */
  readonly weight: number;
  readonly why: 'nothing_to_compare' | 'agreement' | 'words_missing' | 'identifiers';
}

/** Two lists for one query. */
interface ComparedLists {
  readonly shape: QueryShape;
  readonly lexical: readonly RankedChunk[];
  readonly vector: readonly RankedChunk[];
  /** The share of the query's weight that the best lexical chunk contains, 0 to 1; called only where it matters. */
  readonly heldByBest: () => Promise<number>;
}

/** How many entries of the lists are compared; no comparison when the lexical list has fewer. */
const COMPARED = 10;
/** A shorter vector list does not show how far its best entries stand out from the rest. */
const TELLING_LENGTH = 20;
/** Counts for a little even when no entry is shared: the two lists of a large corpus seldom overlap. */
const CHANCE_AGREEMENT = 0.05;
/** Makes the product of the three signals 1 where all three are as good as they get in practice. */
const EVIDENCE_SCALE = 14;
/** Below this share of the query in the best lexical chunk, words have not found what was meant. */
const WORDS_SUFFICE = 0.3;
/** Preserves the order of chunks that only the vector side found. */
const MIN_WEIGHT = 0.01;
/** A query that names something in code wants exactly that: the vector list gets at most this weight. */
const WEIGHT_BESIDE_NAMES = 0.25;

/**
 * Weighs the vector list relative to the lexical list of the same query by the lists alone, so that a weak model does no harm and a good
 * one counts fully: `min(1, (14 · (agreement + 0.05) · openness² · sharpness)²)`.
 *
 * - agreement: the share of the first ten that the lists have in common;
 * - openness: tenth lexical score over the first; a steep drop means that words have found what was meant;
 * - sharpness: how much of the drop of the cosines lies within the first ten; a flat list separates nothing.
 *
 * When even the best lexical chunk contains little of the query (share `h` of its weight), the rest must be found by meaning: the weight is
 * at least `1 − h / 0.3`.
 *
 * With fewer than ten lexical or twenty vector entries there is nothing to compare, and the lists have equal weight. A query of which at
 * least half are names from code asks for exactly these words, which caps the weight whenever words find anything.
 */
export async function weighVectors({ shape, lexical, vector, heldByBest }: ComparedLists): Promise<VectorWeight> {
  const measured = await measure(lexical, vector, heldByBest);
  const isCapped = lexical.length > 0 && asksForNames(shape) && measured.weight > WEIGHT_BESIDE_NAMES;
  return isCapped ? { weight: WEIGHT_BESIDE_NAMES, why: 'identifiers' } : measured;
}

async function measure(
  lexical: readonly RankedChunk[],
  vector: readonly RankedChunk[],
  heldByBest: ComparedLists['heldByBest'],
): Promise<VectorWeight> {
  if (lexical.length < COMPARED || vector.length < TELLING_LENGTH) return { weight: 1, why: 'nothing_to_compare' };
  const evidence =
    EVIDENCE_SCALE * (agreement(lexical, vector) + CHANCE_AGREEMENT) * openness(lexical) ** 2 * sharpness(vector);
  const weight = Math.max(MIN_WEIGHT, Math.min(1, evidence ** 2));
  const missing = 1 - (await heldByBest()) / WORDS_SUFFICE;
  return missing > weight ? { weight: missing, why: 'words_missing' } : { weight, why: 'agreement' };
}

function agreement(lexical: readonly RankedChunk[], vector: readonly RankedChunk[]): number {
  const top = new Set(lexical.slice(0, COMPARED).map(({ chunkId }) => chunkId));
  return vector.slice(0, COMPARED).filter(({ chunkId }) => top.has(chunkId)).length / COMPARED;
}

function openness(lexical: readonly RankedChunk[]): number {
  const best = lexical[0]?.score ?? 0;
  return best > 0 ? (lexical[COMPARED - 1]?.score ?? 0) / best : 1;
}

function sharpness(vector: readonly RankedChunk[]): number {
  const best = vector[0]?.score ?? 0;
  const fall = best - (vector.at(-1)?.score ?? 0);
  return fall > 0 ? (best - (vector[COMPARED - 1]?.score ?? 0)) / fall : 0;
}
