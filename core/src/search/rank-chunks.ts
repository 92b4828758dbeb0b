import type { ResolvedConfig } from '../config/resolved-config.ts';
import type { ChunkWithDocument } from '../contracts/document-store.ts';
import type { RankedChunk, RetrievalRequest, Retriever } from '../contracts/retriever.ts';
import type { ChunkId } from '../domain/ids.ts';
import type { Mode } from '../domain/query.ts';
import type { Degraded } from '../wire/index.ts';
import type { ChunkRank } from './chunk-rank.ts';
import type { Stage } from './cursor.ts';
import type { RerankSide } from './find-reranker.ts';
import { fuseRankings } from './fuse-rankings.ts';
import { weighVectors, type VectorWeight } from './fusion-weights.ts';
import { monotonicMs } from './monotonic-ms.ts';
import type { Place } from './place.ts';
import { queryShape } from './query-shape.ts';
import { refineRanking } from './refine-ranking.ts';
import { canRead } from './spoken-scripts.ts';
import { degradedBy, vectorsUnavailable, type VectorSide } from './vector-side.ts';

/** What a ranking is made of. */
export interface RankRequest {
  readonly mode: Mode;
  readonly retrieval: Omit<RetrievalRequest, 'limit'>;
  /** How many entries must be known. */
  readonly needed: number;
  /** How many entries are ordered anew; the same for every page of a list. */
  readonly head: number;
  readonly lexical: Retriever;
  /** Null when the mode does not ask for it. */
  readonly vector: VectorSide | null;
  /** Null when none is configured. */
  readonly reranker: RerankSide | null;
  readonly settings: ResolvedConfig['search'];
  readonly placeOf: (id: ChunkId) => Place;
  /** The share of the query's weight that a chunk holds, 0 to 1. */
  readonly heldShareOf: (id: ChunkId) => number;
  readonly chunksOf: (ids: readonly ChunkId[]) => readonly ChunkWithDocument[];
  readonly signal?: AbortSignal | undefined;
}

/** How two lists were put together: what each weighed in this query. */
export interface Fusion {
  readonly rrfK: number;
  readonly weightLexical: number;
  readonly weightVector: number;
  readonly why: VectorWeight['why'];
}

/** A ranked list, the modes and stages it really went through, and what each side returned. */
export interface Ranking {
  readonly entries: readonly ChunkRank[];
  /** Whether nothing follows the entries. */
  readonly complete: boolean;
  readonly mode: Mode;
  readonly stages: readonly Stage[];
  readonly degraded: readonly Degraded[];
  readonly lexical: readonly RankedChunk[];
  readonly vector: readonly RankedChunk[];
  /** The list as it was retrieved or fused, before its beginning was ordered anew. */
  readonly retrieved: readonly ChunkRank[];
  /** Null where there was one side only. */
  readonly fusion: Fusion | null;
  readonly lexicalMs: number;
  readonly vectorMs: number;
  readonly fusionMs: number;
  readonly rerankMs: number;
}

/** A list before its beginning is ordered anew. */
type Retrieved = Omit<Ranking, 'entries' | 'stages' | 'rerankMs'>;

const NOTHING = {
  lexical: [],
  vector: [],
  fusion: null,
  degraded: [],
  lexicalMs: 0,
  vectorMs: 0,
  fusionMs: 0,
} as const;

/**
 * Ranks chunks in the mode that was asked for, then orders the beginning of the list anew. A hybrid search whose vector side
 * is absent or fails, or whose model cannot read the query, is a lexical one, and says so; a vector search then fails. A
 * single side is asked for what is needed; two sides for the configured number of candidates, so that a fused list does not
 * depend on the page.
 */
export async function rankChunks(request: RankRequest): Promise<Ranking> {
  const retrieved = await retrieveAll(request);
  const { retrieval, head, reranker, chunksOf, signal } = request;
  const refined = await refineRanking({
    ...{ query: retrieval.query, mode: retrieved.mode, entries: retrieved.retrieved, head, reranker, chunksOf, signal },
  });
  return {
    ...retrieved,
    entries: refined.entries,
    stages: stagesOf(retrieved.mode, refined.isReranked),
    degraded: [...retrieved.degraded, ...refined.degraded],
    rerankMs: refined.rerankMs,
  };
}

/** The name of each stage that a list of a mode goes through. */
export function stagesOf(mode: Mode, isReranked: boolean): readonly Stage[] {
  const sides: readonly Stage[] = mode === 'hybrid' ? ['lexical', 'vector'] : [mode];
  return isReranked ? [...sides, 'rerank'] : sides;
}

/** The mode that will run unless the vector side fails at work. */
export function likelyMode({ mode, vector, retrieval }: Pick<RankRequest, 'mode' | 'vector' | 'retrieval'>): Mode {
  if (mode !== 'hybrid') return mode;
  return vector?.kind === 'ready' && canRead(vector.languages, retrieval.query.embeddingText) ? mode : 'lexical';
}

async function retrieveAll(request: RankRequest): Promise<Retrieved> {
  const { mode, vector } = request;
  if (mode === 'lexical' || vector === null) return lexicalOnly(request);
  const side = await vectorRanking(request, vector);
  if (side.degraded !== null) return { ...(await lexicalOnly(request)), degraded: [side.degraded] };
  const degraded = vector.kind === 'ready' && vector.degraded !== null ? [vector.degraded] : [];
  const timed = { ...NOTHING, vector: side.ranking, vectorMs: side.ms, degraded };
  if (mode === 'vector') {
    const retrieved = side.ranking.map(({ chunkId, ...given }) => single(chunkId, { vector: given }));
    return { ...timed, retrieved, complete: retrieved.length < limitOf(request), mode };
  }
  return { ...timed, ...(await fused(request, side.ranking)) };
}

async function lexicalOnly(request: RankRequest): Promise<Retrieved> {
  const limit = limitOf(request);
  const { ranking, ms } = await retrieve(request.lexical, request, limit);
  const retrieved = ranking.map(({ chunkId, ...given }) => single(chunkId, { lexical: given }));
  const complete = retrieved.length < limit;
  return { ...NOTHING, retrieved, complete, mode: 'lexical', lexical: ranking, lexicalMs: ms };
}

/** A single side is asked for what is needed, and for all that is ordered anew. */
function limitOf({ needed, head }: RankRequest): number {
  return Math.max(needed, head + 1);
}

async function fused(
  request: RankRequest,
  vector: readonly RankedChunk[],
): Promise<Pick<Retrieved, 'retrieved' | 'complete' | 'mode' | 'lexical' | 'lexicalMs' | 'fusion' | 'fusionMs'>> {
  const { settings, placeOf, retrieval } = request;
  const lexical = await retrieve(request.lexical, request, settings.candidates);
  const started = monotonicMs();
  const [best] = lexical.ranking;
  const { weight, why } = weighVectors({
    shape: queryShape(retrieval.query),
    lexical: lexical.ranking,
    vector,
    heldByBest: () => (best === undefined ? 0 : request.heldShareOf(best.chunkId)),
  });
  const fusion: Fusion = {
    rrfK: settings.rrfK,
    weightLexical: settings.weightLexical,
    weightVector: settings.weightVector * weight,
    why,
  };
  const retrieved = fuseRankings(
    [
      { side: 'lexical', weight: fusion.weightLexical, ranking: lexical.ranking },
      { side: 'vector', weight: fusion.weightVector, ranking: vector },
    ],
    { rrfK: fusion.rrfK, placeOf },
  );
  const timing = { lexicalMs: lexical.ms, fusionMs: monotonicMs() - started };
  return { retrieved, complete: true, mode: 'hybrid', lexical: lexical.ranking, fusion, ...timing };
}

type VectorOutcome =
  | { readonly degraded: null; readonly ranking: readonly RankedChunk[]; readonly ms: number }
  | { readonly degraded: Degraded };

async function vectorRanking(request: RankRequest, side: VectorSide): Promise<VectorOutcome> {
  const { mode, settings, retrieval } = request;
  if (side.kind === 'absent') {
    if (mode === 'vector') throw vectorsUnavailable(side);
    return { degraded: side.degraded };
  }
  if (mode === 'hybrid' && !canRead(side.languages, retrieval.query.embeddingText))
    return { degraded: cannotRead(side) };
  try {
    const limit = mode === 'hybrid' ? settings.candidates : limitOf(request);
    return { degraded: null, ...(await retrieve(side.retriever, request, limit)) };
  } catch (error) {
    const degraded = degradedBy(error);
    if (mode === 'vector' || degraded === undefined) throw error;
    return { degraded };
  }
}

function cannotRead({ model, languages }: Extract<VectorSide, { readonly kind: 'ready' }>): Degraded {
  const hint = `${model ?? 'the embedding model'} reads ${(languages ?? []).join(', ')}: name a multilingual model with models.embedding.model`;
  return { stage: 'vector', reason: 'language_unsupported', hint };
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
