import type { DocumentStore } from '../contracts/document-store.ts';
import type { RankedChunk } from '../contracts/retriever.ts';
import type { ChunkId } from '../domain/ids.ts';
import { byScoreThenPlace, type ChunkRank, type SideRank } from './chunk-rank.ts';

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
