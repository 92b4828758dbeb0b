import type { ResolvedConfig } from '../config/resolved-config.ts';
import type { RankedChunk, RetrievalRequest, Retriever } from '../contracts/retriever.ts';
import type { ChunkId } from '../domain/ids.ts';
import type { Mode } from '../domain/query.ts';
import type { Degraded } from '../wire/index.ts';
import type { ChunkRank } from './chunk-rank.ts';
import type { Stage } from './cursor.ts';
import { fuseRankings } from './fuse-rankings.ts';
import { monotonicMs } from './monotonic-ms.ts';
import type { Place } from './place.ts';
import { degradedBy, vectorsUnavailable, type VectorSide } from './vector-side.ts';

/** What a ranking is made of. */
export interface RankRequest {
  readonly mode: Mode;
  readonly retrieval: Omit<RetrievalRequest, 'limit'>;
  /** How many entries must be known. */
  readonly needed: number;
  readonly lexical: Retriever;
  /** Null when the mode does not ask for it. */
  readonly vector: VectorSide | null;
  readonly settings: ResolvedConfig['search'];
  readonly placeOf: (id: ChunkId) => Place;
  readonly signal?: AbortSignal | undefined;
}

/** A ranked list, the modes and stages it really went through, and what each side returned. */
export interface Ranking {
  readonly entries: readonly ChunkRank[];
  /** Whether nothing follows the entries. */
  readonly complete: boolean;
  readonly mode: Mode;
  readonly degraded: readonly Degraded[];
  readonly lexical: readonly RankedChunk[];
  readonly vector: readonly RankedChunk[];
  readonly lexicalMs: number;
  readonly vectorMs: number;
  readonly fusionMs: number;
}

/**
 * Ranks chunks in the mode that was asked for. A hybrid search whose vector side is absent or fails is a lexical one,
 * and says so; a vector search then fails. A single side is asked for what is needed; two sides for the configured number
 * of candidates, so that a fused list does not depend on the page.
 */
export async function rankChunks(request: RankRequest): Promise<Ranking> {
  const { mode, vector } = request;
  const untimed = { lexical: [], vector: [], lexicalMs: 0, vectorMs: 0, fusionMs: 0 };
  if (mode === 'lexical' || vector === null) return { ...untimed, ...(await lexicalOnly(request)) };
  const side = await vectorRanking(request, vector);
  if (side.degraded !== null) {
    if (mode === 'vector') throw vectorsUnavailable(side.degraded);
    return { ...untimed, ...(await lexicalOnly(request)), degraded: [side.degraded] };
  }
  const timed = { ...untimed, vector: side.ranking, vectorMs: side.ms, degraded: [] };
  if (mode === 'vector') {
    const entries = side.ranking.map(({ chunkId, ...given }) => single(chunkId, { vector: given }));
    return { ...timed, entries, complete: entries.length < request.needed, mode };
  }
  return { ...timed, ...(await fused(request, side.ranking)) };
}

/** The name of each stage that a mode goes through. */
export function stagesOf(mode: Mode): readonly Stage[] {
  return mode === 'hybrid' ? ['lexical', 'vector'] : [mode];
}

async function lexicalOnly(request: RankRequest): Promise<Omit<Ranking, 'vector' | 'vectorMs' | 'fusionMs'>> {
  const { ranking, ms } = await retrieve(request.lexical, request, request.needed);
  const entries = ranking.map(({ chunkId, ...given }) => single(chunkId, { lexical: given }));
  const complete = entries.length < request.needed;
  return { entries, complete, mode: 'lexical', degraded: [], lexical: ranking, lexicalMs: ms };
}

async function fused(
  request: RankRequest,
  vector: readonly RankedChunk[],
): Promise<Pick<Ranking, 'entries' | 'complete' | 'mode' | 'lexical' | 'lexicalMs' | 'fusionMs'>> {
  const { settings, placeOf } = request;
  const lexical = await retrieve(request.lexical, request, settings.candidates);
  const started = monotonicMs();
  const entries = fuseRankings(
    [
      { side: 'lexical', weight: settings.weightLexical, ranking: lexical.ranking },
      { side: 'vector', weight: settings.weightVector, ranking: vector },
    ],
    { rrfK: settings.rrfK, placeOf },
  );
  const timing = { lexicalMs: lexical.ms, fusionMs: monotonicMs() - started };
  return { entries, complete: true, mode: 'hybrid', lexical: lexical.ranking, ...timing };
}

type VectorOutcome =
  | { readonly degraded: null; readonly ranking: readonly RankedChunk[]; readonly ms: number }
  | { readonly degraded: Degraded };

async function vectorRanking(request: RankRequest, side: VectorSide): Promise<VectorOutcome> {
  if (side.kind === 'absent') return { degraded: side.degraded };
  const limit = request.mode === 'hybrid' ? request.settings.candidates : request.needed;
  try {
    return { degraded: null, ...(await retrieve(side.retriever, request, limit)) };
  } catch (error) {
    const degraded = degradedBy(error);
    if (request.mode === 'vector' || degraded === undefined) throw error;
    return { degraded };
  }
}

async function retrieve(
  retriever: Retriever,
  { retrieval, signal }: RankRequest,
  limit: number,
): Promise<{ readonly ranking: readonly RankedChunk[]; readonly ms: number }> {
  const started = monotonicMs();
  const ranking = await retriever.retrieve({ ...retrieval, limit }, signal === undefined ? {} : { signal });
  return { ranking, ms: monotonicMs() - started };
}

function single(chunkId: ChunkId, side: Pick<ChunkRank, 'lexical'> | Pick<ChunkRank, 'vector'>): ChunkRank {
  const given = 'lexical' in side ? side.lexical : side.vector;
  return { chunkId, score: given?.score ?? 0, lexical: null, vector: null, fusionScore: null, ...side };
}
