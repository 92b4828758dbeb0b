import type { RankedChunk } from '../contracts/retriever.ts';
import type { ChunkId } from '../domain/ids.ts';
import { byPlace, type Place } from './place.ts';
import type { ChunkRank, SideRank } from './chunk-rank.ts';

/** One retriever's list and what it weighs. */
export interface WeightedRanking {
  /** A retriever of a plugin is named by its id. */
  readonly side: 'lexical' | 'vector' | { readonly contributed: string };
  readonly weight: number;
  /** Best first, as its retriever ranked it. */
  readonly ranking: readonly RankedChunk[];
}

/** How rankings are fused. */
export interface FusionSettings {
  readonly rrfK: number;
  /** Where a chunk lies; asked only of chunks with equal fused scores. */
  readonly placeOf: (id: ChunkId) => Place;
}

/**
 * Reciprocal rank fusion: `Σ weight / (rrfK + rank)` over the sides that returned a chunk, divided by the most that can
 * be had, so that first place on every side is 1. Best first; ties by place.
 */
export function fuseRankings(sides: readonly WeightedRanking[], settings: FusionSettings): readonly ChunkRank[] {
  const best = sides.reduce((sum, { weight }) => sum + weight / (settings.rrfK + 1), 0);
  const fused = new Map<ChunkId, ChunkRank>();
  for (const { side, weight, ranking } of sides) {
    for (const { chunkId, rank, score } of ranking) {
      const known = fused.get(chunkId) ?? { chunkId, score: 0, lexical: null, vector: null, fusionScore: 0 };
      const raw = known.score + weight / (settings.rrfK + rank);
      fused.set(chunkId, { ...known, score: raw, ...givenBy(side, { rank, score }, known) });
    }
  }
  const places = new Map<ChunkId, Place>();
  const placeOf = (id: ChunkId): Place => {
    const place = places.get(id) ?? settings.placeOf(id);
    places.set(id, place);
    return place;
  };
  return [...fused.values()]
    .map((entry) => normalised(entry, best))
    .toSorted((a, b) => b.score - a.score || byPlace(placeOf(a.chunkId), placeOf(b.chunkId)));
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
