import type { ResolvedConfig } from '../config/resolved-config.ts';
import type { LexicalIndex } from '../contracts/lexical-index.ts';
import type { DocumentStore } from '../contracts/document-store.ts';
import type { RankedChunk, RetrievalRequest, Retriever } from '../contracts/retriever.ts';
import type { ChunkId } from '../domain/ids.ts';
import type { Mode } from '../domain/query.ts';
import type { Degraded, SearchHit } from '../wire/index.ts';
import type { ChunkRank } from './chunk-rank.ts';
import type { ContributedRanking, ContributedSides } from './contributed-retrievers.ts';
import type { Stage } from '../paging/cursor.ts';
import type { CutList } from './cut-irrelevant.ts';
import { type RerankSide, refineRanking } from './refine-ranking.ts';
import type { CosineScale } from '../relevance/estimate-relevance.ts';
import type { EvidenceLists, EvidenceWeights } from './fuse-evidence.ts';
import { fuseRankings, weighVectors, type VectorWeight } from './fuse-rankings.ts';
import { monotonicMs } from './monotonic-ms.ts';
import type { KnownPassage } from './passage-cache.ts';
import { queryShape, canRead } from './query-shape.ts';
import { degradedBy } from '../embedding/open-embedding.ts';
import { type ReadyVectorSide, vectorsUnavailable, type VectorSide } from './sides.ts';

/** What a ranking is made of. */
export interface RankRequest {
  readonly mode: Mode;
  readonly retrieval: Omit<RetrievalRequest, 'limit'>;
  /** How many entries must be known. */
  readonly needed: number;
  /** How many entries are reordered; the same for every page of a list. */
  readonly head: number;
  readonly lexical: Retriever;
  /** Null when the mode does not ask for it. */
  readonly vector: VectorSide | null;
  /** The retrievers of plugins that take part in a hybrid search; null without any. */
  readonly contributed: ContributedSides | null;
  /** Null when none is configured. */
  readonly reranker: RerankSide | null;
  /** The minimum relevance of an entry as it was asked for; null leaves it to the settings. */
  readonly minRelevance: number | null;
  readonly index: Pick<LexicalIndex, 'analyseQuery' | 'search' | 'termStats'>;
  readonly settings: ResolvedConfig['search'];
  readonly store: Pick<DocumentStore, 'getPassages' | 'getChunks'>;
  /** The share of the query's weight that a chunk holds, 0 to 1. */
  readonly heldShareOf: (id: ChunkId) => Promise<number>;
  readonly passagesOf: (ids: readonly ChunkId[]) => Promise<ReadonlyMap<ChunkId, KnownPassage>>;
  readonly signal?: AbortSignal | undefined;
}

/** How lists were put together: what each weighed in this query. */
export interface Fusion {
  readonly method: ResolvedConfig['search']['hybridFusion'];
  readonly rrfK: number;
  readonly weightLexical: number;
  /** 0 when the vector side took no part. */
  readonly weightVector: number;
  /** For holding every content word of a short query; null where that does not count. */
  readonly weightAllWords: number | null;
  readonly why: VectorWeight['why'] | EvidenceWeights['why'];
}

/** A ranked list, the modes and stages it really went through, and what each side returned. */
export interface Ranking {
  readonly entries: readonly ChunkRank[];
  /** Whether nothing follows the entries. */
  readonly complete: boolean;
  /** `hybrid` as soon as two sides took part, whichever they were. */
  readonly mode: Mode;
  readonly stages: readonly Stage[];
  readonly degraded: readonly Degraded[];
  readonly lexical: readonly RankedChunk[];
  readonly vector: readonly RankedChunk[];
  /** The retrievers of plugins that took part. */
  readonly contributed: readonly ContributedRanking[];
  /** The list as it was retrieved or fused, before its beginning was reordered. */
  readonly retrieved: readonly ChunkRank[];
  /** What the cosines mean; null where the vector side took no part. */
  readonly scale: CosineScale | null;
  /** Null where there was one side only. */
  readonly fusion: Fusion | null;
  readonly lexicalMs: number;
  readonly vectorMs: number;
  readonly fusionMs: number;
  readonly rerankMs: number;
}

/** A list before its beginning is reordered. */
type Retrieved = Omit<Ranking, 'entries' | 'rerankMs'>;

const NOTHING = {
  lexical: [],
  vector: [],
  contributed: [],
  scale: null,
  fusion: null,
  degraded: [],
  lexicalMs: 0,
  vectorMs: 0,
  fusionMs: 0,
} as const;

/**
 * Ranks chunks in the mode that was asked for, then reorders the beginning of the list. A hybrid search whose vector side
 * is absent or fails, or whose model cannot read the query, goes on without it, and says so; a vector search then fails. The
 * retrievers of plugins are sides of hybrid searches alone. A single side is asked for what is needed; several sides for the
 * configured number of candidates, so that a fused list does not depend on the page.
 */
export async function rankChunks(request: RankRequest): Promise<Ranking> {
  const retrieved = await retrieveRelevant(request);
  const { retrieval, head, reranker, passagesOf, store, signal } = request;
  const refined = await refineRanking({
    query: retrieval.query,
    mode: retrieved.mode,
    entries: retrieved.retrieved,
    head,
    reranker,
    passagesOf,
    textsOf: (ids) => store.getPassages(ids),
    signal,
  });
  return {
    ...retrieved,
    entries: refined.entries,
    stages: refined.isReranked ? [...retrieved.stages, 'rerank'] : retrieved.stages,
    degraded: [...retrieved.degraded, ...refined.degraded],
    rerankMs: refined.rerankMs,
  };
}

/** So many entries of a single list are judged at a time, whatever page is asked for. */
const JUDGED_TOGETHER = 25;
/** How much longer a list is asked for where too little of it was relevant. */
const FURTHER = 4;

/**
 * Retrieves what is needed and leaves out what is irrelevant. A single side is asked for a longer list until enough of it is
 * relevant, or it ends; it ends as well behind as many in a row as are judged at a time of which none is relevant. A fused
 * list is judged as a whole.
 */
async function retrieveRelevant(request: RankRequest): Promise<Retrieved> {
  const { mode, head, minRelevance, settings } = request;
  const min = minRelevance ?? (mode === 'lexical' ? 0 : settings.minRelevance);
  // Beyond the needed, and all that is reordered, a list that is not cut is asked for one more.
  if (min <= 0) return retrieveAll(request, Math.max(request.needed, head + 1));
  const needed = Math.max(request.needed, head);
  let list: CutList | undefined;
  for (let limit = Math.ceil(needed / JUDGED_TOGETHER) * JUDGED_TOGETHER; ; limit *= FURTHER) {
    const all = await retrieveAll(request, limit);
    // Without vectors only what was asked for is left out.
    if (minRelevance === null && all.scale === null) return all;
    list = await cut(request, all, { min, needed, begun: list });
    if (list.isComplete || list.entries.length >= needed)
      return { ...all, retrieved: list.entries, complete: list.isComplete };
  }
}

interface CutBounds {
  readonly min: number;
  readonly needed: number;
  readonly begun: CutList | undefined;
}

/** Lists with vectors in them are cut as configured, for a vector search finds something for every text; others when asked. */
async function cut(
  { retrieval, minRelevance, index, store }: RankRequest,
  { retrieved, complete, fusion, scale }: Retrieved,
  { min, needed, begun }: CutBounds,
): Promise<CutList> {
  const { cutIrrelevant } = await import('./cut-irrelevant.ts');
  const bounds =
    fusion === null ? { together: JUDGED_TOGETHER, needed } : { together: retrieved.length, needed: Infinity };
  const question = retrieval.query.embeddingText;
  const cutsWords = minRelevance !== null;
  const list = { entries: retrieved, isWhole: complete };
  return cutIrrelevant(list, { question, min, cutsWords, ...bounds, scale, index, store }, begun);
}

/** What the scores of a list are where no reranker has seen it. */
export function scoreKindOf({ mode, fusion }: Ranking): SearchHit['score_kind'] {
  if (fusion !== null) return fusion.method === 'rrf' ? 'rrf' : 'fused';
  return mode === 'vector' ? 'cosine' : 'bm25';
}

/** The stages that a list will go through unless something fails at work. */
export function likelyStages(
  request: Pick<RankRequest, 'mode' | 'vector' | 'contributed' | 'retrieval' | 'reranker'>,
): readonly Stage[] {
  const { mode, vector, contributed, retrieval, reranker } = request;
  const reranked: readonly Stage[] = reranker?.kind === 'ready' ? ['rerank'] : [];
  if (mode !== 'hybrid') return [mode, ...reranked];
  const reads = vector?.kind === 'ready' && canRead(vector.languages, retrieval.query.embeddingText);
  return [...stagesOf(reads, contributed?.stages ?? []), ...reranked];
}

function stagesOf(withVectors: boolean, contributed: readonly Stage[]): readonly Stage[] {
  return ['lexical', ...(withVectors ? (['vector'] as const) : []), ...contributed];
}

/** A single side is asked for `limit` entries. */
async function retrieveAll(request: RankRequest, limit: number): Promise<Retrieved> {
  const { mode, vector } = request;
  if (mode === 'lexical') return lexicalOnly(request, limit);
  if (mode === 'vector') return vectorOnly(request, limit);
  const [side, contributed] = await Promise.all([
    vector === null ? null : vectorRanking(request, vector),
    request.contributed?.rank(request.settings.candidates) ?? { rankings: [], stages: [], degraded: [] },
  ]);
  const incomplete = vector?.kind === 'ready' ? vector.degraded : null;
  const missing = side === null ? null : (side.degraded ?? incomplete);
  const degraded = [...(missing === null ? [] : [missing]), ...contributed.degraded];
  const meant = side === null || side.degraded !== null ? null : side;
  if (meant === null && contributed.rankings.length === 0) return { ...(await lexicalOnly(request, limit)), degraded };
  const stages = stagesOf(meant !== null, contributed.stages);
  return { ...(await fused(request, { vector: meant, contributed: contributed.rankings })), stages, degraded };
}

async function vectorOnly(request: RankRequest, limit: number): Promise<Retrieved> {
  const { vector } = request;
  if (vector === null) throw new TypeError('a vector search needs a vector side');
  if (vector.kind === 'absent') throw vectorsUnavailable(vector);
  const { ranking, ms, scale } = await retrieveVectors(vector, request, limit);
  const retrieved = ranking.map(({ chunkId, ...given }) => single(chunkId, { vector: given }));
  const degraded = vector.degraded === null ? [] : [vector.degraded];
  const complete = retrieved.length < limit;
  const timed = { ...NOTHING, vector: ranking, vectorMs: ms, scale, degraded };
  return { ...timed, retrieved, complete, mode: 'vector', stages: ['vector'] };
}

async function lexicalOnly(request: RankRequest, limit: number): Promise<Retrieved> {
  const { ranking, ms } = await retrieve(request.lexical, request, limit);
  const retrieved = ranking.map(({ chunkId, ...given }) => single(chunkId, { lexical: given }));
  const complete = retrieved.length < limit;
  const timed = { ...NOTHING, lexical: ranking, lexicalMs: ms };
  return { ...timed, retrieved, complete, mode: 'lexical', stages: ['lexical'] };
}

interface OtherSides {
  readonly vector: VectorRanking | null;
  readonly contributed: readonly ContributedRanking[];
}

async function fused(
  request: RankRequest,
  { vector, contributed }: OtherSides,
): Promise<Omit<Retrieved, 'stages' | 'degraded'>> {
  const lexical = await retrieve(request.lexical, request, request.settings.candidates);
  const started = monotonicMs();
  const lists = { lexical: lexical.ranking, vector, contributed };
  const { entries, fusion } =
    request.settings.hybridFusion === 'rrf' ? await fuseRanks(request, lists) : await fuseByEvidence(request, lists);
  return {
    retrieved: entries,
    complete: true,
    mode: 'hybrid',
    fusion,
    contributed,
    scale: vector?.scale ?? null,
    lexical: lexical.ranking,
    vector: vector?.ranking ?? [],
    lexicalMs: lexical.ms,
    vectorMs: vector?.ms ?? 0,
    fusionMs: monotonicMs() - started,
  };
}

interface Fused {
  readonly entries: readonly ChunkRank[];
  readonly fusion: Fusion;
}

/** Only a search of several sides reads what this takes. */
async function fuseByEvidence(
  { settings, retrieval, index, store, signal }: RankRequest,
  lists: EvidenceLists,
): Promise<Fused> {
  const { fuseEvidence } = await import('./fuse-evidence.ts');
  const { rrfK, weightLexical, weightVector, weightRetrievers, candidates } = settings;
  const { entries, weights } = await fuseEvidence(lists, {
    retrieval: { ...retrieval, limit: candidates },
    weights: { lexical: weightLexical, vector: weightVector, retrievers: weightRetrievers },
    rrfK,
    index,
    store,
    signal,
  });
  const { lexical, vector, allWords, why } = weights;
  return {
    entries,
    fusion: {
      method: 'relevance',
      rrfK,
      weightLexical: lexical,
      weightVector: vector,
      weightAllWords: allWords,
      why,
    },
  };
}

async function fuseRanks(request: RankRequest, { lexical, vector, contributed }: EvidenceLists): Promise<Fused> {
  const { settings, store } = request;
  const fusion = await weigh(request, lexical, vector?.ranking ?? null);
  const entries = await fuseRankings(
    [
      { side: 'lexical', weight: fusion.weightLexical, ranking: lexical },
      ...(vector === null ? [] : [{ side: 'vector', weight: fusion.weightVector, ranking: vector.ranking } as const]),
      ...contributed.map(({ id, ranking }) => ({
        side: { contributed: id },
        weight: settings.weightRetrievers,
        ranking,
      })),
    ],
    { rrfK: fusion.rrfK, store },
  );
  return { entries, fusion };
}

async function weigh(
  { settings, retrieval, heldShareOf }: RankRequest,
  lexical: readonly RankedChunk[],
  vector: readonly RankedChunk[] | null,
): Promise<Fusion> {
  const { rrfK, weightLexical, weightVector } = settings;
  const fusion = { method: 'rrf', rrfK, weightLexical, weightAllWords: null } as const;
  if (vector === null) return { ...fusion, weightVector: 0, why: 'nothing_to_compare' };
  const [best] = lexical;
  const { weight, why } = await weighVectors({
    shape: queryShape(retrieval.query),
    lexical,
    vector,
    heldByBest: async () => (best === undefined ? 0 : heldShareOf(best.chunkId)),
  });
  return { ...fusion, weightVector: weightVector * weight, why };
}

/** What the vector side found, and what its cosines mean. */
interface VectorRanking {
  readonly ranking: readonly RankedChunk[];
  readonly ms: number;
  readonly scale: CosineScale | null;
}

type VectorOutcome = ({ readonly degraded: null } & VectorRanking) | { readonly degraded: Degraded };

/** The vector side of a hybrid search. */
async function vectorRanking(request: RankRequest, side: VectorSide): Promise<VectorOutcome> {
  if (side.kind === 'absent') return { degraded: side.degraded };
  if (!canRead(side.languages, request.retrieval.query.embeddingText)) return { degraded: cannotRead(side) };
  try {
    return { degraded: null, ...(await retrieveVectors(side, request, request.settings.candidates)) };
  } catch (error) {
    const degraded = degradedBy(error);
    if (degraded === undefined) throw error;
    return { degraded };
  }
}

function cannotRead({ model, languages }: Extract<VectorSide, { readonly kind: 'ready' }>): Degraded {
  const hint = `${model ?? 'the embedding model'} reads ${(languages ?? []).join(', ')}: name a multilingual model with models.embedding.model`;
  return { stage: 'vector', reason: 'language_unsupported', hint };
}

async function retrieveVectors(side: ReadyVectorSide, request: RankRequest, limit: number): Promise<VectorRanking> {
  const { retrieval, signal } = request;
  const { ranking, ms } = await retrieve(side.retriever, request, limit);
  return { ranking, ms, scale: await side.scaleOf(retrieval.query, signal === undefined ? {} : { signal }) };
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
