import type { AnalysedQuery } from '../analysis/analyse-query.ts';
import type { AbortOptions } from '../contracts/contribution.ts';
import type { ChunkWithDocument, DocumentStore } from '../contracts/document-store.ts';
import type { LexicalIndex } from '../contracts/lexical-index.ts';
import type { SearchFilters, Sort } from '../domain/query.ts';
import type { ChunkRank } from './chunk-rank.ts';
import { throwIfCancelled } from '../errors/abort.ts';
import { isKebabError } from '../errors/kebab-error.ts';
import type { Ports } from '../ports.ts';
import type { Degraded, Expectation, IndexState, SearchHit, SearchResponse, Trace } from '../wire/index.ts';
import { LRU } from 'tiny-lru';
import { type QueryNotice, readLiteral, readQuery, relaxedOf } from './read-operators.ts';
import type { JudgedHits, JudgedPage } from './cut-irrelevant.ts';
import { resolveFilters } from '../documents/resolve-filters.ts';
import { checkSearch, type CheckedSearch, type SearchOptions, type SearchQuery } from '../requests/search.ts';
import {
  decodeCursor,
  encodeCursor,
  hashRanking,
  type Stage,
  type CursorState,
  requireStages,
  stageName,
} from '../paging/cursor.ts';
import { rankingSettings } from './refine-ranking.ts';
import { fitBudget, makeSnippet, shownScore, writeHits } from './write-hits.ts';
import { FreshnessCheck, type FreshnessPorts } from '../documents/freshness.ts';
import type { EmbeddingPorts } from '../embedding/open-embedding.ts';
import type { VectorSideFinder } from './vector-side.ts';
import type { CosineScale } from '../relevance/estimate-relevance.ts';
import { compareCodePoints } from '../domain/code-point-order.ts';
import { passageReader, type KnownPassage } from './known-passages.ts';
import {
  hasRelevances,
  likelyStages,
  newestFirst,
  rankChunks,
  type Ranking,
  type RankRequest,
  scoreKindOf,
  type Sides,
} from './rank-chunks.ts';
import { blake3Short } from '../domain/blake3.ts';
import { fingerprintOf } from '../domain/policy-hash.ts';

/** The ports of a search. */
export type SearchPorts = FreshnessPorts &
  EmbeddingPorts &
  Pick<Ports, 'documents' | 'lexicalIndex' | 'retrievers' | 'rerankers'>;

/** The context of a search besides the request. */
export interface SearchContextOptions extends AbortOptions {
  /** The state of the index, for the response; null when it is up to date. */
  readonly index?: IndexState | null | undefined;
}

/** The search of one App, which shares caches between searches. */
export interface Searcher {
  /**
   * One page of hits. Errors: `invalid_input` for an invalid query, option, filter or cursor, `stale_cursor`, `not_indexed` without a
   * database and in vector mode without vectors, `cancelled`.
   */
  readonly search: (query: SearchQuery, options?: SearchOptions & SearchContextOptions) => Promise<SearchResponse>;
  /** Like `search`, with the chunk of each hit and the analysed query, for further processing. Errors as for `search`. */
  readonly retrieve: (query: SearchQuery, options?: SearchOptions & SearchContextOptions) => Promise<Retrieval>;
}

/** A page of hits with the data it was built from. */
export interface Retrieval {
  readonly response: SearchResponse;
  readonly analysed: AnalysedQuery;
  /** One chunk per hit, unless a budget has dropped hits. */
  readonly found: readonly ChunkWithDocument[];
  /** The scale of the cosines of the hits; null when no vectors took part. */
  readonly scale: CosineScale | null;
  /** The relevance of each chunk; null when not requested. */
  readonly judged: JudgedHits['passages'] | null;
}

/** What searches share. A ranking contains nothing that can change without a new corpus revision, such as freshness. */
interface SearchMemory {
  readonly rankings: LRU<Ranking>;
  readonly vectorSides: () => Promise<VectorSideFinder>;
}

/** One search: the request, with its store and index. */
interface SearchContext extends Pick<Asked, 'joins'> {
  readonly search: CheckedSearch;
  /** Those of the request, with times resolved, and those of the query. */
  readonly filters: SearchFilters;
  /** The moment from which relative times are counted. */
  readonly now: Date;
  readonly analysed: AnalysedQuery;
  /** Whether documents are listed, newest first, instead of passages ranked. */
  readonly isFiltersOnly: boolean;
  readonly hasFacets: boolean;
  /** The parts of the query that look like operators but are not. */
  readonly notices: readonly QueryNotice[];
  readonly store: DocumentStore;
  readonly index: LexicalIndex;
  readonly queryHash: string;
  /** Changes that are not yet in the index; null when none are known. */
  readonly state: IndexState | null;
  readonly signal: AbortSignal | undefined;
}

/** One page of a ranked list at one corpus revision. */
interface ResultPage {
  readonly revision: number;
  readonly offset: number;
  /** The interpretation of the query that was searched. */
  readonly analysed: AnalysedQuery;
  readonly ranking: Ranking;
  /** The stages of the list, as its cursor names them. */
  readonly stages: readonly Stage[];
  /** One chunk per hit. */
  readonly chunks: readonly ChunkWithDocument[];
  readonly hits: readonly SearchHit[];
  /** Null when relevance was not requested. */
  readonly judged: JudgedHits | null;
  readonly words: WordsChecked;
  readonly hasMore: boolean;
  readonly degraded: readonly Degraded[];
}

const MAX_ATTEMPTS = 3;
const MAX_RANKINGS = 64;
/** The hits that a search orders otherwise than by score. */
const MAX_SORTED = 1000;

/** Creates a searcher, which finds chunks for queries: ranked, paged, cited, with the freshness of their files. */
export function openSearcher(ports: SearchPorts): Searcher {
  let vectorSides: Promise<VectorSideFinder> | undefined;
  const memory: SearchMemory = {
    rankings: new LRU(MAX_RANKINGS),
    vectorSides: () => (vectorSides ??= import('./vector-side.ts').then((module) => new module.VectorSideFinder())),
  };
  return {
    search: async (query, options = {}) =>
      (await searchDocuments(ports, memory, { query, options, joins: true })).response,
    retrieve: (query, options = {}) => searchDocuments(ports, memory, { query, options, joins: false }),
  };
}

/** A request, and whether passages that touch are one hit. */
interface Asked {
  readonly query: SearchQuery;
  readonly options: SearchOptions & SearchContextOptions;
  readonly joins: boolean;
}

async function searchDocuments(
  ports: SearchPorts,
  memory: SearchMemory,
  { query, options, joins }: Asked,
): Promise<Retrieval> {
  const started = performance.now();
  throwIfCancelled(options.signal, 'search');
  const context = await readSearch(ports, { query, options, joins });
  const sides = await findSides(ports, memory, context);
  const page = await findPage(ports, memory, { context, sides });
  const { analysed } = page;
  const expect = await explainPage({ ...context, analysed, config: ports.config }, page, sides);
  const suggestions = await suggestionsFor({ ...context, analysed, config: ports.config }, page);
  const facets = context.hasFacets
    ? { facets: await (await import('./count-facets.ts')).countFacets({ ...context, analysed, ranking: page.ranking }) }
    : {};
  const notices = [...context.notices, ...(page.chunks.length === 0 ? [] : inexactNames(context.analysed, analysed))];
  const response = { ...respond({ ...context, analysed, notices }, page, expect), ...suggestions, ...facets };
  const ms = performance.now() - started;
  logSearch(ports.log, { queryHash: context.queryHash, response, ms });
  return {
    response: context.search.explain ? { ...response, trace: await traceOf(page, ms) } : response,
    analysed,
    found: page.chunks,
    scale: page.ranking.scale,
    judged: page.judged?.passages ?? null,
  };
}

/** The names in a query that no passage contains as they are typed (`--hidden`, `#68`), so that their words were looked for. */
function inexactNames(typed: AnalysedQuery, read: AnalysedQuery): readonly QueryNotice[] {
  const known = new Set([...read.phrases, ...(read.relaxed?.phrases ?? [])].map(({ text }) => text));
  return typed.phrases
    .filter(({ text, exact }) => exact !== undefined && !known.has(text))
    .map(({ text }) => ({ text, hint: 'no passage contains it as it is typed' }));
}

/** Suggestions for the first page: of any kind when it is empty, else other spellings of words that may be misspelt. */
async function suggestionsFor(
  context: SearchContext & Pick<SearchPorts, 'config'>,
  { offset, chunks, words }: ResultPage,
): Promise<Pick<SearchResponse, 'suggestions'>> {
  if (offset > 0) return {};
  const hitTexts = chunks.map(({ chunk, document }) => [document.title, ...chunk.headingPath, chunk.text].join('\n'));
  const said = words.long.length === 0 ? '' : hitTexts.join('\n').toLowerCase();
  const isDoubtful =
    words.unknown.length > 0 || words.rare.length > 0 || !words.long.every((word) => said.includes(word));
  if (chunks.length > 0 && !isDoubtful) return {};
  const { suggest } = await import('./suggest.ts');
  return suggest({ ...context, hitTexts, rare: words.rare });
}

/** The ids of the hits are logged, but no text. */
function logSearch(
  log: SearchPorts['log'],
  { queryHash, response, ms }: Pick<SearchContext, 'queryHash'> & { readonly response: SearchResponse; ms: number },
): void {
  log.debug('searched', {
    query_hash: queryHash,
    mode: response.mode,
    ms: Math.round(ms),
    chunk_ids: response.hits.map((hit) => hit.chunk_id),
    degraded: response.degraded.map(({ stage, reason }) => `${stage}:${reason}`),
  });
}

async function traceOf({ analysed, ranking }: ResultPage, ms: number): Promise<Trace> {
  const { buildTrace } = await import('./build-trace.ts');
  return buildTrace(analysed, ranking, ms);
}

async function readSearch(ports: SearchPorts, { query, options, joins }: Asked): Promise<SearchContext> {
  const typed = checkSearch(query, options, ports.config.search);
  const store = await ports.documents.read();
  const index = await ports.lexicalIndex.read();
  const { analysed, within, isFiltersOnly, notices } = typed.literal
    ? readLiteral(typed.text)
    : readQuery(typed.text, (text) => index.analyseQuery(text), Object.keys(typed.filters).length > 0);
  const search: CheckedSearch = isFiltersOnly
    ? { ...typed, mode: 'lexical', minRelevance: null, minScore: null }
    : typed;
  const scope = { now: ports.clock.now(), store, config: ports.config };
  const own = await resolveFilters(search.filters, scope);
  const filters = Object.keys(within).length === 0 ? own : { ...own, within: await resolveFilters(within, scope) };
  const queryHash = hashRanking({
    list: 'search',
    ...search,
    filters,
    settings: rankingSettings(ports.config, { ...search, joins }),
  });
  return {
    search,
    joins,
    filters,
    now: scope.now,
    analysed,
    isFiltersOnly,
    hasFacets: options.facets === true,
    notices,
    store,
    index,
    queryHash,
    state: options.index ?? null,
    signal: options.signal,
  };
}

async function findSides(
  ports: SearchPorts,
  { vectorSides }: SearchMemory,
  { search, isFiltersOnly, store, index }: SearchContext,
): Promise<Sides> {
  if (isFiltersOnly) return { vector: null, contributed: [], reranker: null };
  const isReranked = ports.config.models.rerank.provider !== 'none';
  const reranker = isReranked ? await (await import('./rerank-head.ts')).findReranker(ports) : null;
  if (search.mode === 'lexical') return { vector: null, contributed: [], reranker };
  const { findContributed } = await import('./contributed-retrievers.ts');
  const { vector, others } = await findContributed(ports);
  const finder = await vectorSides();
  return {
    vector: await finder.find({ ...ports, store, lexical: index, contributed: vector?.retriever ?? null }),
    contributed: search.mode === 'hybrid' ? others : [],
    reranker,
  };
}

/** What an index on a server lacks: committed documents whose words it does not hold yet. */
async function incompleteWords({ search, index, signal }: SearchContext): Promise<readonly Degraded[]> {
  if (search.mode === 'vector' || index.isCurrent === undefined || (await index.isCurrent({ signal }))) return [];
  const hint = 'some documents are not found by their words yet: run `kebab ingest`';
  return [{ stage: 'words', reason: 'words_incomplete', hint }];
}

/** The inputs for finding a page. */
interface PageRequest {
  readonly context: SearchContext;
  readonly sides: Sides;
}

/** Starts over when the corpus changes meanwhile, so that list, hits and cursor belong to one revision. */
async function findPage(ports: SearchPorts, memory: SearchMemory, request: PageRequest): Promise<ResultPage> {
  const { store } = request.context;
  for (let attempt = 1; ; attempt++) {
    try {
      const page = await readPage(ports, memory, request);
      if (attempt === MAX_ATTEMPTS || (await store.corpusRevision()) === page.revision) return page;
    } catch (error) {
      // A document can be replaced between two reads.
      if (attempt === MAX_ATTEMPTS || !isKebabError(error, 'doc_not_found')) throw error;
    }
  }
}

async function readPage(
  ports: SearchPorts,
  memory: SearchMemory,
  { context: asTyped, sides }: PageRequest,
): Promise<ResultPage> {
  const { search, store, queryHash, signal } = asTyped;
  const revision = await store.corpusRevision();
  const cursor = search.cursor === null ? null : decodeCursor(search.cursor, { corpusRevision: revision, queryHash });
  const offset = cursor?.offset ?? search.offset;
  const typed = { ...asTyped, analysed: await strictestMatchingReading(asTyped) };
  const { analysed, ...checked } = await checkWords(typed, sides.vector?.kind === 'ready');
  const context = { ...asTyped, analysed };
  const cursorSides = restrictToCursorStages(cursor, sides);
  const request = rankRequest(ports, { context, sides: cursorSides, offset });
  const ranking = await rankOnce(memory.rankings, request, { context, revision });
  if (cursor !== null) requireSameStages(cursor, ranking, cursorSides);
  const stages = namedStages(ranking.stages, cursorSides);
  throwIfCancelled(signal, 'search');
  const scoring = await scoringAt(ranking, context);
  const list =
    search.sort === 'score' ? scoring : await sorted(scoring, search.sort, { store, passagesOf: request.passagesOf });
  const freshness = await FreshnessCheck.of(ports, store, signal);
  const entries = await withLivingCopies(list.slice(offset, offset + search.k), { store, freshness });
  const chunks = await store.getChunks(entries.map(({ chunkId }) => chunkId));
  const others = entries.flatMap((entry) => entry.touching ?? []);
  const touching = others.length === 0 ? [] : await store.getChunks(others);
  const isNamed = ranking.entries[0]?.named !== undefined; // a name need not be in any text
  const words = isNamed ? NO_WORDS : checked;
  const isJudged =
    !context.isFiltersOnly &&
    (search.explain || search.minRelevance !== null || words.unknown.length > 0 || hasRelevances(ranking));
  const judged = isJudged ? await judgeEntries(context, { entries, chunks, scale: ranking.scale }) : null;
  const isShown = search.explain || search.minRelevance !== null;
  const hits = await writeHits(
    { offset, entries, chunks, touching },
    {
      store,
      passagesOf: request.passagesOf,
      mode: ranking.mode,
      scoreKind: scoreKindOf(ranking),
      indexVersion: context.index.indexVersion(),
      readsPictures: ports.config.ocr.engine !== 'none',
      embeddingModel: ranking.stages.includes('vector') && sides.vector?.kind === 'ready' ? sides.vector.model : null,
      stateOf: (document) => freshness.check(document),
      judged: judged?.hits ?? null,
      showsEvidence: isShown,
      snippetOf: ({ chunk }) => makeSnippet(chunk.text, context.analysed, search.snippetChars),
    },
  );
  const degraded = [...ranking.degraded, ...freshness.degraded, ...(await incompleteWords(context))];
  const hasMore = list.length > offset + search.k;
  return { revision, offset, analysed, ranking, stages, chunks, hits, judged, words, hasMore, degraded };
}

/** The entries of a page; a file that is gone is represented by a copy that is still there. Rankings outlive files, so they do not tell. */
function withLivingCopies(
  entries: readonly ChunkRank[],
  { store, freshness }: { readonly store: Pick<DocumentStore, 'getChunks'>; readonly freshness: FreshnessCheck },
): Promise<readonly ChunkRank[]> {
  const isGone = async ({ document }: ChunkWithDocument): Promise<boolean> =>
    (await freshness.check(document)).freshness === 'deleted';
  const ofLiving = async ({ copies, ...entry }: ChunkRank): Promise<ChunkRank> => {
    if (copies === undefined) return entry;
    const [shown] = await store.getChunks([entry.chunkId]);
    if (shown === undefined || !(await isGone(shown))) return { ...entry, copies };
    for (const copy of await store.getChunks(copies)) {
      if (await isGone(copy)) continue;
      const { touching: _, ...own } = entry;
      const { chunkId } = copy.chunk;
      return { ...own, chunkId, copies: [entry.chunkId, ...copies.filter((id) => id !== chunkId)] };
    }
    return { ...entry, copies };
  };
  return Promise.all(entries.map(ofLiving));
}

/** The words of a query that the index does not have, or that may be misspelt although it has them. */
interface WordsChecked {
  /** The content words that no passage contains. */
  readonly unknown: readonly string[];
  /** Those that may be misspelt: long enough. */
  readonly long: readonly string[];
  /** Of these, those that are in so few passages that they may be misspelt there as well. */
  readonly rare: readonly string[];
}

const NO_WORDS: WordsChecked = { unknown: [], long: [], rare: [] };
/** Shorter words are near too many others. */
const MIN_LETTERS = 6;
const MAX_RARE = 2;

/** The query with compounds for unknown words, unless vectors take part. Reads only how frequent the words are if all are in a passage. */
async function checkWords(
  { analysed, index, isFiltersOnly, signal }: SearchContext,
  hasVectors: boolean,
): Promise<WordsChecked & Pick<SearchContext, 'analysed'>> {
  if (isFiltersOnly) return { ...NO_WORDS, analysed };
  const { terms, phrases, demands = [] } = analysed;
  const tokens = terms.flatMap((term) => (term.kind === 'cjk_run' ? [] : [term.token]));
  const isPlain = phrases.length === 0 && demands.length === 0;
  const { df } = isPlain ? await index.termStats(tokens) : { df: [0] };
  const words = tokens.filter((token) => token.length >= MIN_LETTERS && /^\p{L}+$/u.test(token));
  const long = [...words, ...(await longHangul(analysed))];
  const rare = words.filter((token) => (df[tokens.indexOf(token)] ?? 0) <= MAX_RARE);
  if (df.every((count) => count > 0)) return { unknown: [], long, rare, analysed };
  const { unknownWords, withCompounds } = await import('./unknown-words.ts');
  const { unknown } = await unknownWords(analysed, index);
  const other = isPlain && !hasVectors ? await withCompounds(analysed, unknown, index, { signal }) : analysed;
  if (other.embeddingText === analysed.embeddingText) return { unknown, long, rare, analysed };
  return { unknown: (await unknownWords(other, index)).unknown, long: [], rare: [], analysed: other };
}

/** A word of two syllables is near too many others. */
const MIN_SYLLABLES = 3;

async function longHangul({ embeddingText }: SearchContext['analysed']): Promise<readonly string[]> {
  if (!/\p{Script=Hangul}{3}/u.test(embeddingText)) return [];
  const { questionWords } = await import('../relevance/question-words.ts');
  return questionWords(embeddingText).flatMap((word) =>
    word.kind === 'cjk' && word.stem.length >= MIN_SYLLABLES ? [word.stem] : [],
  );
}

/** The entries with a sufficient score, as it is shown; lists are usually, but not always, ordered by score. */
async function scoringAt(ranking: Ranking, context: SearchContext): Promise<Ranking['entries']> {
  const { entries, scale } = ranking;
  const { minScore } = context.search;
  if (minScore === null) return entries;
  if (!hasRelevances(ranking)) return entries.filter(({ score }) => score >= minScore);
  const chunks = await context.store.getChunks(entries.map(({ chunkId }) => chunkId));
  const { hits } = await judgeEntries(context, { entries, chunks, scale });
  return entries.filter((entry) => shownScore(entry, hits.get(entry.chunkId)) >= minScore);
}

/** The best entries in another order, and by score within a document. */
async function sorted(
  entries: Ranking['entries'],
  sort: Exclude<Sort, 'score'>,
  { store, passagesOf }: Pick<RankRequest, 'passagesOf'> & { readonly store: Pick<DocumentStore, 'getDocuments'> },
): Promise<Ranking['entries']> {
  const best = entries.slice(0, MAX_SORTED);
  const passages = await passagesOf(best.map(({ chunkId }) => chunkId));
  const documents = await store.getDocuments([...new Set([...passages.values()].map(({ docId }) => docId))]);
  const dates = new Map(documents.map(({ docId, date }) => [docId, date.getTime()]));
  const dateOf = ({ docId }: KnownPassage): number => (sort === 'date' ? (dates.get(docId) ?? 0) : 0);
  return best.toSorted((a, b) => {
    const [left, right] = [passages.get(a.chunkId), passages.get(b.chunkId)];
    if (left === undefined || right === undefined) return 0;
    return dateOf(right) - dateOf(left) || compareCodePoints(left.workspacePath, right.workspacePath);
  });
}

/**
 * The strictest interpretation of a query that still matches a passage lexically; the weakest when none does. It does not depend on mode or
 * page.
 */
async function strictestMatchingReading({ filters, analysed, index, signal }: SearchContext): Promise<AnalysedQuery> {
  let reading = analysed;
  while (reading.weaker !== undefined) {
    const hits = await index.search(reading, filters, 1, { signal });
    if (hits.length > 0) return reading;
    reading = reading.weaker;
  }
  return reading;
}

/** Judging a page costs about as much as finding it by words, so it is done only where the result is shown or decides. */
async function judgeEntries({ analysed, index }: SearchContext, page: JudgedPage): Promise<JudgedHits> {
  const { judgeHits } = await import('./cut-irrelevant.ts');
  return judgeHits(analysed.embeddingText, page, index);
}

/** A best relevance below this means nothing: chance alone brings it about. */
const MIN_ANSWERING = 0.3;

/**
 * Whether the hits only lie nearest: words of the query are unknown or no hit has any of its words, and no relevance means anything.
 */
function isNearestOnly({ offset, ranking, hits, judged, words: { unknown } }: ResultPage): boolean {
  if (offset > 0 || hits.length === 0 || judged === null || (ranking.scale === null && unknown.length === 0))
    return false;
  const isByWords = hits.some(({ retrieval }) => retrieval.lexical_rank !== null);
  const best = Math.max(...[...judged.passages.values()].map(({ relevance }) => relevance));
  return (unknown.length > 0 || !isByWords) && best < MIN_ANSWERING;
}

function rankRequest(
  { config }: SearchPorts,
  { context, sides, offset }: PageRequest & { readonly offset: number },
): RankRequest {
  const { search, joins, hasFacets, filters, analysed, index, store, signal } = context;
  return {
    mode: search.mode,
    joins,
    retrieval: { query: analysed, filters },
    needed: search.sort === 'score' ? offset + search.k + 1 : MAX_SORTED, // one more tells whether another page follows
    isCounted: hasFacets,
    minRelevance: search.minRelevance,
    perDocument: search.perDocument,
    sides,
    config,
    index,
    store,
    passagesOf: passageReader(store),
    signal,
  };
}

/** Ranks, unless the list is cached. */
async function rankOnce(
  rankings: SearchMemory['rankings'],
  request: RankRequest,
  { context, revision }: { readonly context: SearchContext; readonly revision: number },
): Promise<Ranking> {
  const { search, isFiltersOnly, queryHash } = context;
  if (isFiltersOnly) return newestFirst(request, context.store);
  if (!search.cache || search.explain) return rankChunks(request);
  const keyOf = (stages: readonly Stage[]): string =>
    `${revision} ${namedStages(stages, request.sides).join('+')} ${queryHash}`;
  const cached = rankings.get(keyOf(likelyStages(request)));
  if (cached !== undefined && (cached.complete || cached.entries.length >= request.needed)) return cached;
  const ranking = await rankChunks(request);
  rankings.set(keyOf(ranking.stages), ranking);
  return ranking;
}

async function explainPage(
  { search, filters, analysed, store, index, signal, config }: SearchContext & Pick<SearchPorts, 'config'>,
  { ranking, offset }: ResultPage,
  { vector }: Sides,
): Promise<Expectation | null> {
  if (search.expect === null) return null;
  const { explainMiss } = await import('./explain-miss.ts');
  return explainMiss(
    {
      target: search.expect,
      query: analysed,
      filters,
      ranking,
      page: { offset, k: search.k },
      store,
      config,
      index,
      vector: ranking.stages.includes('vector') && vector?.kind === 'ready' ? vector.retriever : null,
    },
    { signal },
  );
}

/** The response, truncated to its budget. */
function respond(
  { search, analysed, notices, queryHash, state }: SearchContext,
  page: ResultPage,
  expect: Expectation | null,
): SearchResponse {
  const { ranking, stages, hits, chunks } = page;
  const cursorAt = (offset: number): string =>
    encodeCursor({ offset, corpusRevision: page.revision, queryHash, stages });
  const response: SearchResponse = {
    schema_version: 'search_response.v1',
    hits,
    next_cursor: page.hasMore ? cursorAt(page.offset + search.k) : null,
    truncated: false,
    mode: ranking.mode,
    degraded: page.degraded,
    ...relaxedOf(analysed),
    ...(page.words.unknown.length === 0 ? {} : { unknown_terms: page.words.unknown }),
    ...(isNearestOnly(page) ? { nearest_only: true } : {}),
    ...(notices.length === 0 ? {} : { notices }),
    ...(state === null ? {} : { index: state }),
    ...(expect === null ? {} : { expect }),
  };
  if (search.maxTokens === null) return response;
  return fitBudget({
    response,
    maxTokens: search.maxTokens,
    snippetChars: search.snippetChars,
    resnip: (hit, maxChars) => makeSnippet(chunks[hit]?.chunk.text ?? '', analysed, maxChars),
    cursorBehind: (count) => cursorAt((hits[count]?.rank ?? 1) - 1),
  });
}

/** A list that began without vectors, a retriever or a reranker continues without them, even if they are available now. */
function restrictToCursorStages(cursor: CursorState | null, { vector, contributed, reranker }: Sides): Sides {
  if (cursor === null) return { vector, contributed, reranker };
  const names = new Set(cursor.stages.map(stageName));
  return {
    vector: !names.has('vector') && vector?.kind === 'ready' ? null : vector,
    contributed: contributed.filter((one) => one.kind === 'absent' || names.has(stageName(one.stage))),
    reranker: !names.has('rerank') && reranker?.kind === 'ready' ? null : reranker,
  };
}

/** The stages of a list as cursors name them. Lists with equal stages were ranked by the same models. */
function namedStages(stages: readonly Stage[], { vector, reranker }: Sides): readonly Stage[] {
  return stages.map((stage): Stage => {
    if (stage === 'vector' && vector?.kind === 'ready') return `vector@${blake3Short(vector.retriever.indexVersion())}`;
    if (stage === 'rerank' && reranker?.kind === 'ready')
      return `rerank@${blake3Short(`${fingerprintOf(reranker.reranker)} ${reranker.topN}`)}`;
    return stage;
  });
}

/** Throws `stale_cursor` when a list cannot continue as it began, because a stage that ranked it is unavailable, failed or has been replaced. */
function requireSameStages(cursor: CursorState, { stages, degraded }: Ranking, sides: Sides): void {
  const failed = (stage: Stage): string | undefined =>
    degraded.find((one) => one.stage === stageName(stage).replace(/:.*$/, ''))?.reason;
  requireStages(cursor, namedStages(stages, sides), failed);
}
