import type { AnalysedQuery } from '../analysis/analyse-query.ts';
import type { ResolvedConfig } from '../config/resolved-config.ts';
import type { LexicalHit, LexicalIndex } from '../contracts/lexical-index.ts';
import type { DocumentStore } from '../contracts/document-store.ts';
import type { RankedChunk, RetrievalRequest } from '../contracts/retriever.ts';
import type { ChunkId, DocumentId } from '../domain/ids.ts';
import type { Mode, SearchFilters } from '../domain/query.ts';
import type { Degraded, SearchHit } from '../wire/index.ts';
import type { ChunkRank } from './chunk-rank.ts';
import type { ContributedRanking, ContributedRetriever, rankContributed } from './contributed-retrievers.ts';
import type { Stage } from '../paging/cursor.ts';
import type { FilteredList } from './cut-irrelevant.ts';
import { headLength, refineRanking, single } from './refine-ranking.ts';
import type { RerankSide } from './rerank-head.ts';
import type { CosineScale } from '../relevance/estimate-relevance.ts';
import type { EvidenceLists, EvidenceWeights } from './fuse-evidence.ts';
import type { KnownPassage } from './known-passages.ts';
import { canRead } from './query-shape.ts';
import { degradedBy } from '../embedding/open-embedding.ts';
import type { ReadyVectorSide, VectorSide } from './vector-side.ts';

/** The sides of a search besides words, and what reorders the result; each absent if it is unavailable. */
export interface Sides {
  /** Null when the mode does not use it. */
  readonly vector: VectorSide | null;
  /** The plugin retrievers that take part in a hybrid search. */
  readonly contributed: readonly ContributedRetriever[];
  /** Null when none is configured. */
  readonly reranker: RerankSide | null;
}

/** The inputs of a ranking. */
export interface RankRequest {
  readonly mode: Mode;
  readonly retrieval: Omit<RetrievalRequest, 'limit'>;
  /** How many entries are needed. */
  readonly needed: number;
  /** Whether the documents of the best {@link MAX_COUNTED} passages by words are counted afterwards. */
  readonly isCounted?: boolean | undefined;
  /** The requested minimum relevance of an entry; null uses the configured one. */
  readonly minRelevance: number | null;
  readonly sides: Sides;
  readonly config: Pick<ResolvedConfig, 'search' | 'models'>;
  /** How many passages of one document are among ten. */
  readonly perDocument: number;
  /** Whether passages of a section that touch are one entry. */
  readonly joins: boolean;
  readonly index: Pick<LexicalIndex, 'analyseQuery' | 'search' | 'admitted' | 'termStats' | 'named'>;
  readonly store: Pick<DocumentStore, 'getPassages' | 'getChunks' | 'getDocuments' | 'documentIds'>;
  readonly passagesOf: (ids: readonly ChunkId[]) => Promise<ReadonlyMap<ChunkId, KnownPassage>>;
  readonly signal?: AbortSignal | undefined;
}

/** How lists were fused: the weight of each in this query. */
export interface Fusion extends EvidenceWeights {
  readonly method: ResolvedConfig['search']['hybridFusion'];
  readonly rrfK: number;
}

/** A chunk ranked by words, with its document where the index knows it. */
export type RankedByWords = RankedChunk & Pick<LexicalHit, 'docId'>;

/** A ranked list, the modes and stages that actually ran, and what each side returned. */
export interface Ranking {
  readonly entries: readonly ChunkRank[];
  /** Whether nothing follows the entries. */
  readonly complete: boolean;
  /** `hybrid` whenever two sides took part, whichever they were. */
  readonly mode: Mode;
  readonly stages: readonly Stage[];
  readonly degraded: readonly Degraded[];
  readonly lexical: readonly RankedByWords[];
  readonly vector: readonly RankedChunk[];
  /** The plugin retrievers that took part. */
  readonly contributed: readonly ContributedRanking[];
  /** The list as retrieved or fused, before its beginning was reordered. */
  readonly retrieved: readonly ChunkRank[];
  /** The scale of the cosines; null when the vector side took no part. */
  readonly scale: CosineScale | null;
  /** Null when only one side took part. */
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
 * Ranks chunks in the requested mode, then reorders the beginning of the list. A hybrid search whose vector side is absent or fails, or
 * whose model cannot read the query, continues without it and reports that; a vector search fails instead. Plugin retrievers are sides of
 * hybrid searches only. A single side is asked for as many as needed; several sides for the configured number of candidates, so that a
 * fused list does not depend on the page.
 */
export async function rankChunks(request: RankRequest): Promise<Ranking> {
  for (let { needed } = request; ; needed *= LENGTH_FACTOR) {
    const retrieved = await retrieveRelevant({ ...request, needed });
    const refined = await refineRanking(retrieved.retrieved, retrieved.mode, request);
    // Copies are counted once, and one document must not fill a page, so that a longer list may be needed.
    const isShort = refined.entries.length < request.needed || retrieved.retrieved.length < refined.needed;
    if (!retrieved.complete && isShort) {
      needed = Math.max(needed, refined.needed / LENGTH_FACTOR);
      continue;
    }
    return {
      ...retrieved,
      entries: refined.entries,
      stages: refined.isReranked ? [...retrieved.stages, 'rerank'] : retrieved.stages,
      degraded: [...retrieved.degraded, ...refined.degraded],
      rerankMs: refined.rerankMs,
    };
  }
}

/**
 * The documents that pass the filters and of which no passage has what the query excludes, newest first, each as its first chunk: the answer
 * to a query without words.
 */
export async function newestFirst(
  request: Pick<RankRequest, 'retrieval' | 'needed' | 'index' | 'signal'>,
  store: Pick<DocumentStore, 'listDocuments' | 'listChunks' | 'getPassages'>,
): Promise<Ranking> {
  const { retrieval, needed } = request;
  const started = performance.now();
  const barred = await documentsHolding(retrieval.query, retrieval.filters, { ...request, store });
  const page = { offset: 0, limit: needed + barred.size, newestFirst: true };
  const { documents, total } = await store.listDocuments(retrieval.filters, page);
  const listed = documents.filter(({ docId }) => !barred.has(docId));
  const chunks = await Promise.all(listed.slice(0, needed).map(({ docId }) => store.listChunks(docId, 0, 1)));
  const lexical = chunks.flat().map(({ chunkId }, at) => ({ chunkId, score: 0, rank: at + 1 }));
  const entries = lexical.map(({ chunkId, ...rank }) => single(chunkId, { lexical: rank }));
  const complete = documents.length === total && listed.length <= needed;
  const lexicalMs = performance.now() - started;
  const list = { entries, retrieved: entries, lexical, complete, lexicalMs, rerankMs: 0 };
  return { ...NOTHING, ...list, mode: 'lexical', stages: ['lexical'] };
}

/** What finding documents by their passages takes. */
interface PassageSearch {
  readonly index: Pick<LexicalIndex, 'admitted'>;
  readonly store: Pick<DocumentStore, 'getPassages'>;
  readonly signal?: AbortSignal | undefined;
}

/** The documents within filters that have a passage with what a query excludes. */
export async function documentsHolding(
  query: AnalysedQuery,
  filters: SearchFilters,
  { index, store, signal }: PassageSearch,
): Promise<ReadonlySet<DocumentId>> {
  const { text, excluded: phrases } = query;
  if (phrases.length === 0) return new Set();
  const positive = { ...query, excluded: [], demands: [{ kind: 'any', text, phrases, words: [] }] } as const;
  const chunks = (await index.admitted(positive, filters, { signal })) ?? [];
  return new Set((await store.getPassages([...chunks])).map(({ docId }) => docId));
}

/** The best passages whose documents are counted: more would cost longer than the search. */
export const MAX_COUNTED = 300;
/** How many entries of a single list are judged at a time, whatever the page. */
const JUDGED_TOGETHER = 25;
/** How much longer a list to request when too little of it was relevant. */
const LENGTH_FACTOR = 4;

/**
 * Retrieves as many as needed and removes irrelevant entries. A single side is asked for a longer list until enough of it is relevant, or
 * it ends, or a whole batch of consecutive entries is irrelevant. A fused list is judged as a whole.
 */
async function retrieveRelevant(request: RankRequest): Promise<Retrieved> {
  const { mode, minRelevance, config } = request;
  const head = headLength(config.models);
  const min = minRelevance ?? (mode === 'lexical' ? 0 : config.search.minRelevance);
  const counted = request.isCounted === true && mode !== 'vector' && minRelevance === null ? MAX_COUNTED : 0;
  // A list without a cut needs one entry beyond those needed, and beyond those reordered.
  if (min <= 0) return retrieveAll(request, Math.max(request.needed, head + 1, counted));
  const needed = Math.max(request.needed, head);
  let list: FilteredList | undefined;
  for (let limit = Math.ceil(Math.max(needed, counted) / JUDGED_TOGETHER) * JUDGED_TOGETHER; ; limit *= LENGTH_FACTOR) {
    const all = await retrieveAll(request, limit);
    // Without vectors, entries are removed only if the request asked for it.
    if (minRelevance === null && all.scale === null) return all;
    list = await cut(request, all, { min, needed, begun: list });
    if (!list.isComplete && list.entries.length < needed) continue;
    const isEmpty = list.entries.length === 0 && minRelevance === null;
    return { ...all, retrieved: isEmpty ? await nearest(request, all) : list.entries, complete: list.isComplete };
  }
}

/** How many of the nearest passages are shown when none is relevant. */
const NEAREST = 3;

/** The nearest passages, for a query that has known words: they may say it in others. */
async function nearest({ retrieval, index }: RankRequest, { retrieved }: Retrieved): Promise<readonly ChunkRank[]> {
  const { unknownWords } = await import('./unknown-words.ts');
  const { knowsSome } = await unknownWords(retrieval.query, index);
  return knowsSome ? retrieved.slice(0, NEAREST) : [];
}

interface CutBounds {
  readonly min: number;
  readonly needed: number;
  readonly begun: FilteredList | undefined;
}

/** Lists with vectors are cut as configured, since a vector search returns something for every text; others only on request. */
async function cut(
  { retrieval, minRelevance, index, store }: RankRequest,
  { retrieved, complete, fusion, scale }: Retrieved,
  { min, needed, begun }: CutBounds,
): Promise<FilteredList> {
  const { cutIrrelevant } = await import('./cut-irrelevant.ts');
  const bounds =
    fusion === null ? { together: JUDGED_TOGETHER, needed } : { together: retrieved.length, needed: Infinity };
  const question = retrieval.query.embeddingText;
  const cutsWords = minRelevance !== null;
  const list = { entries: retrieved, isWhole: complete };
  return cutIrrelevant(list, { question, min, cutsWords, ...bounds, scale, index, store }, begun);
}

/** Whether the score of a hit is its relevance: not where sides took part whose scores a relevance knows nothing of. */
export function hasRelevances({ mode, fusion, scale, contributed }: Ranking): boolean {
  if (fusion === null) return mode === 'lexical';
  return fusion.method === 'relevance' && scale !== null && contributed.length === 0;
}

/** The score kind of a list that no reranker scored. */
export function scoreKindOf(ranking: Ranking): SearchHit['score_kind'] {
  if (hasRelevances(ranking)) return 'relevance';
  if (ranking.fusion !== null) return ranking.fusion.method === 'rrf' ? 'rrf' : 'fused';
  return 'cosine';
}

/** The stages of a list unless one fails. */
export function likelyStages({
  mode,
  retrieval,
  sides: { vector, contributed, reranker },
}: Pick<RankRequest, 'mode' | 'retrieval' | 'sides'>): readonly Stage[] {
  const reranked: readonly Stage[] = reranker?.kind === 'ready' ? ['rerank'] : [];
  if (mode === 'vector' && vector?.kind === 'absent') return reranked;
  if (mode !== 'hybrid') return [mode, ...reranked];
  const reads = vector?.kind === 'ready' && canRead(vector.languages, retrieval.query.embeddingText);
  const ready = contributed.flatMap((one) => (one.kind === 'ready' ? [one.stage] : []));
  return [...stagesOf(reads, ready), ...reranked];
}

function stagesOf(withVectors: boolean, contributed: readonly Stage[]): readonly Stage[] {
  return ['lexical', ...(withVectors ? (['vector'] as const) : []), ...contributed];
}

/** A single side is asked for `limit` entries. */
async function retrieveAll(request: RankRequest, limit: number): Promise<Retrieved> {
  const { mode } = request;
  if (mode === 'lexical') return lexicalOnly(request, limit);
  if (mode === 'vector') return vectorOnly(request, limit);
  const { vector } = request.sides;
  const [side, contributed] = await Promise.all([
    vector === null ? null : vectorRanking(request, vector),
    contributedRankings(request),
  ]);
  const incomplete = vector?.kind === 'ready' ? vector.degraded : null;
  const missing = side === null ? null : (side.degraded ?? incomplete);
  const degraded = [...(missing === null ? [] : [missing]), ...contributed.degraded];
  const meant = side === null || side.degraded !== null ? null : side;
  if (meant === null && contributed.rankings.length === 0) return { ...(await lexicalOnly(request, limit)), degraded };
  const stages = stagesOf(meant !== null, contributed.stages);
  return { ...(await fused(request, { vector: meant, contributed: contributed.rankings })), stages, degraded };
}

async function contributedRankings({
  retrieval,
  sides: { contributed },
  config,
  store,
  index,
  signal,
}: RankRequest): ReturnType<typeof rankContributed> {
  if (contributed.length === 0 || isWordless(retrieval.query)) return { rankings: [], stages: [], degraded: [] };
  const { admission, rankContributed } = await import('./contributed-retrievers.ts');
  return rankContributed(contributed, {
    retrieval: { ...retrieval, limit: config.search.candidates },
    timeoutMs: config.search.retrieverTimeoutS * 1000,
    admittedOf: admission({ ...retrieval, store, index }),
    signal,
  });
}

async function vectorOnly(request: RankRequest, limit: number): Promise<Retrieved> {
  const { vector } = request.sides;
  if (vector === null) throw new TypeError('a vector search needs a vector side');
  if (vector.kind === 'absent') throw vector.error;
  const { ranking, ms, scale } = await retrieveVectors(vector, request, limit);
  const retrieved = ranking.map(({ chunkId, ...rank }) => single(chunkId, { vector: rank }));
  const degraded = vector.degraded === null ? [] : [vector.degraded];
  const complete = retrieved.length < limit;
  const sides = { ...NOTHING, vector: ranking, vectorMs: ms, scale, degraded };
  return { ...sides, retrieved, complete, mode: 'vector', stages: ['vector'] };
}

async function lexicalOnly(request: RankRequest, limit: number): Promise<Retrieved> {
  const { ranking, ms } = await timed(() => rankByWords(request.index, { ...request, limit }));
  const retrieved = ranking.map(({ chunkId, score, rank }) => single(chunkId, { lexical: { score, rank } }));
  const complete = retrieved.length < limit;
  return {
    ...NOTHING,
    lexical: ranking,
    lexicalMs: ms,
    retrieved,
    complete,
    mode: 'lexical',
    stages: ['lexical'],
  };
}

/** Ranks the best `limit` chunks by the words of a query. */
export async function rankByWords(
  index: Pick<LexicalIndex, 'search'>,
  { retrieval, limit, signal }: Pick<RankRequest, 'retrieval' | 'signal'> & { readonly limit: number },
): Promise<readonly RankedByWords[]> {
  const hits = await index.search(retrieval.query, retrieval.filters, limit, { signal });
  return hits.map(({ chunkId, score, docId }, at) => ({ chunkId, score, docId, rank: at + 1 }));
}

interface OtherSides {
  readonly vector: VectorRanking | null;
  readonly contributed: readonly ContributedRanking[];
}

async function fused(
  request: RankRequest,
  { vector, contributed }: OtherSides,
): Promise<Omit<Retrieved, 'stages' | 'degraded'>> {
  const { candidates } = request.config.search;
  const limit = request.isCounted === true ? Math.max(candidates, MAX_COUNTED) : candidates;
  const lexical = await timed(() => rankByWords(request.index, { ...request, limit }));
  const started = performance.now();
  const lists = { lexical: lexical.ranking.slice(0, candidates), vector, contributed };
  const { entries, fusion } = await fuseLists(request, lists);
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
    fusionMs: performance.now() - started,
  };
}

/** Imported lazily, since only a search of several sides needs it. */
async function fuseLists(
  { config, retrieval, index, store, signal }: RankRequest,
  lists: EvidenceLists,
): Promise<{ readonly entries: readonly ChunkRank[]; readonly fusion: Fusion }> {
  const { fuseEvidence } = await import('./fuse-evidence.ts');
  const { hybridFusion: method, rrfK, weightLexical, weightVector, weightRetrievers, candidates } = config.search;
  const { entries, weights } = await fuseEvidence(lists, {
    method,
    retrieval: { ...retrieval, limit: candidates },
    weights: { lexical: weightLexical, vector: weightVector, retrievers: weightRetrievers },
    rrfK,
    index,
    store,
    signal,
  });
  return { entries, fusion: { ...weights, method, rrfK } };
}

/** The result of the vector side, and the scale of its cosines. */
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
    return { degraded: null, ...(await retrieveVectors(side, request, request.config.search.candidates)) };
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
  if (isWordless(retrieval.query)) return { ranking: [], ms: 0, scale: null };
  const options = { signal };
  const { ranking, ms } = await timed(() => side.retriever.retrieve({ ...retrieval, limit }, options));
  return { ranking, ms, scale: await side.scaleOf(retrieval.query, options) };
}

/** Punctuation alone means nothing, although it has a vector, as every text does, which is close to those of some passages. */
function isWordless({ terms, phrases, demands = [] }: AnalysedQuery): boolean {
  return terms.length + phrases.length + demands.length === 0;
}

async function timed<T extends RankedChunk>(
  rank: () => Promise<readonly T[]>,
): Promise<{ readonly ranking: readonly T[]; readonly ms: number }> {
  const started = performance.now();
  const ranking = await rank();
  return { ranking, ms: performance.now() - started };
}
