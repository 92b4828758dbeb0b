import type { AnalysedQuery } from '../analysis/analysed-query.ts';
import type { AbortOptions } from '../contracts/contribution.ts';
import type { ChunkWithDocument, DocumentStore } from '../contracts/document-store.ts';
import type { LexicalIndex } from '../contracts/lexical-index.ts';
import { throwIfCancelled } from '../errors/abort.ts';
import { invalidInput } from '../errors/invalid-input.ts';
import { isKebabError } from '../errors/kebab-error.ts';
import type { Ports } from '../ports.ts';
import type { Degraded, Expectation, SearchHit, SearchResponse } from '../wire/index.ts';
import { admission, findContributed, type ContributedRetriever, ContributedSides } from './contributed-retrievers.ts';
import { buildTrace } from './build-trace.ts';
import { checkSearch, type CheckedSearch, type SearchOptions, type SearchQuery } from '../requests/search.ts';
import { decodeCursor, encodeCursor, requireStages, type CursorState } from '../paging/cursor.ts';
import { findReranker, type RerankSide } from './rerank.ts';
import { fitBudget, makeSnippet, writeHits } from './write-hits.ts';
import { FreshnessCheck, type FreshnessPorts } from '../documents/freshness.ts';
import type { EmbeddingPorts } from '../embedding/open-embedding.ts';
import { heldShare, LexicalRetriever } from './lexical-side.ts';
import { monotonicMs } from './monotonic-ms.ts';
import { neededFor, pageOf, RankingCache } from './ranking-pages.ts';
import { PassageCache } from './passage-cache.ts';
import { hashRanking } from '../paging/query-hash.ts';
import { likelyStages, rankChunks, type Ranking, type RankRequest } from './rank-chunks.ts';
import { headLength } from './refine-ranking.ts';
import { VectorSideFinder, type VectorSide } from './vector-side.ts';

/** The ports of a search. */
export type SearchPorts = FreshnessPorts &
  EmbeddingPorts &
  Pick<Ports, 'documents' | 'lexicalIndex' | 'retrievers' | 'rerankers'>;

/** A page of hits with what it was made from. */
export interface Retrieval {
  readonly response: SearchResponse;
  readonly analysed: AnalysedQuery;
  /** One chunk for each hit, unless a budget has dropped hits. */
  readonly found: readonly ChunkWithDocument[];
}

/** What one search works with. */
interface Run {
  readonly asked: CheckedSearch;
  readonly analysed: AnalysedQuery;
  readonly store: DocumentStore;
  readonly index: LexicalIndex;
  readonly lexical: LexicalRetriever;
  readonly queryHash: string;
  readonly signal: AbortSignal | undefined;
}

/** One page of a ranked list as it was at one corpus revision. */
interface FoundPage {
  readonly revision: number;
  readonly offset: number;
  readonly ranking: Ranking;
  /** One chunk for each hit. */
  readonly found: readonly ChunkWithDocument[];
  readonly hits: readonly SearchHit[];
  readonly hasMore: boolean;
  readonly degraded: readonly Degraded[];
}

/** What ranks beside words, as far as it can be had. */
interface Sides {
  readonly vector: VectorSide | null;
  readonly contributed: readonly ContributedRetriever[];
  readonly reranker: RerankSide | null;
}

const MAX_ATTEMPTS = 3;
/** Grows when the same lists are put in another order; a cursor then belongs to another list. */
const RANKING_RULES = 2;

/** Finds chunks for a query: ranked, cut into pages, cited, with how their files stand now. */
export class SearchDocuments {
  readonly #ports: SearchPorts;
  readonly #rankings = new RankingCache();
  readonly #passages = new PassageCache();
  readonly #vectorSides = new VectorSideFinder();

  constructor(ports: SearchPorts) {
    this.#ports = ports;
  }

  /**
   * One page of hits. Errors: `invalid_input` for a query, option, filter or cursor that cannot be used, `stale_cursor`,
   * `not_indexed` without a database and in vector mode without vectors, `cancelled`.
   */
  async search(query: SearchQuery, options: SearchOptions & AbortOptions = {}): Promise<SearchResponse> {
    return (await this.retrieve(query, options)).response;
  }

  /** The same with the chunk of each hit and the query as it was read, for what goes on from there. Errors as for a search. */
  async retrieve(query: SearchQuery, options: SearchOptions & AbortOptions = {}): Promise<Retrieval> {
    const started = monotonicMs();
    throwIfCancelled(options.signal, 'search');
    const asked = checkSearch(query, options, this.#ports.config.search);
    const store = await this.#ports.documents.read();
    const index = await this.#ports.lexicalIndex.read();
    const lexical = new LexicalRetriever(index);
    const analysed = lexical.analyse(asked.text);
    rejectExclusionsOnly(analysed);
    const queryHash = hashRanking({ list: 'search', ...asked, settings: this.#rankingSettings() });
    const run: Run = { asked, analysed, store, index, lexical, queryHash, signal: options.signal };
    const sides = await this.#findSides(run);
    const page = await this.#findPage(run, sides);
    const response = this.#respond(run, page, await this.#explainMiss(run, page, sides));
    const retrieval = { response, analysed, found: page.found };
    if (!asked.explain) return retrieval;
    return {
      ...retrieval,
      response: { ...response, trace: buildTrace(analysed, page.ranking, monotonicMs() - started) },
    };
  }

  /** Begins again when somebody changes the corpus meanwhile, so that list, hits and cursor are of one revision. */
  async #findPage(run: Run, sides: Sides): Promise<FoundPage> {
    for (let attempt = 1; ; attempt++) {
      try {
        const page = await this.#readPage(run, sides);
        if (attempt === MAX_ATTEMPTS || (await run.store.corpusRevision()) === page.revision) return page;
      } catch (error) {
        // A document can be replaced between two reads.
        if (attempt === MAX_ATTEMPTS || !isKebabError(error, 'doc_not_found')) throw error;
      }
    }
  }

  async #findSides({ asked, store, index }: Run): Promise<Sides> {
    const reranker = await findReranker(this.#ports);
    if (asked.mode === 'lexical') return { vector: null, contributed: [], reranker };
    const { vector, others } = await findContributed(this.#ports);
    const sources = { ...this.#ports, store, lexical: index };
    return {
      vector: await this.#vectorSides.find({ ...sources, contributed: vector?.retriever ?? null }),
      contributed: asked.mode === 'hybrid' ? others : [],
      reranker,
    };
  }

  async #explainMiss(run: Run, { ranking, offset }: FoundPage, { vector }: Sides): Promise<Expectation | null> {
    const { asked, analysed, store, index, lexical, signal } = run;
    if (asked.expect === null) return null;
    const { explainMiss } = await import('./explain-miss.ts');
    return explainMiss(
      {
        target: asked.expect,
        query: analysed,
        filters: asked.filters,
        ranking,
        page: {
          offset,
          k: asked.k,
        },
        store,
        index,
        lexical,
        vector: ranking.stages.includes('vector') && vector?.kind === 'ready' ? vector.retriever : null,
      },
      signal === undefined ? {} : { signal },
    );
  }

  async #readPage(run: Run, sides: Sides): Promise<FoundPage> {
    const { asked, store, queryHash } = run;
    const revision = await store.corpusRevision();
    const cursor = asked.cursor === null ? null : decodeCursor(asked.cursor, { corpusRevision: revision, queryHash });
    const offset = cursor?.offset ?? 0;
    const ranking = await this.#rank(run, sides, { revision, cursor });
    throwIfCancelled(run.signal, 'search');
    const { items: entries, hasMore } = pageOf(ranking.entries, offset, asked.k);
    const found = await store.getChunks(entries.map(({ chunkId }) => chunkId));
    const freshness = new FreshnessCheck(this.#ports, run.signal);
    const hits = await writeHits(
      { offset, entries, found },
      {
        store,
        mode: ranking.mode,
        indexVersion: run.lexical.indexVersion(),
        embeddingModel: ranking.stages.includes('vector') && sides.vector?.kind === 'ready' ? sides.vector.model : null,
        stateOf: (document) => freshness.check(document),
        snippetOf: ({ chunk }) => makeSnippet(chunk.text, run.analysed, asked.snippetChars),
      },
    );
    const degraded = [...ranking.degraded, ...freshness.degraded];
    return { revision, offset, ranking, found, hits, hasMore, degraded };
  }

  async #rank(
    run: Run,
    sides: Sides,
    { revision, cursor }: { readonly revision: number; readonly cursor: CursorState | null },
  ): Promise<Ranking> {
    const { asked, analysed, index, lexical, store } = run;
    const { vector, contributed, reranker } = beginningAs(cursor, sides);
    const request: RankRequest = {
      mode: asked.mode,
      retrieval: { query: analysed, filters: asked.filters },
      needed: neededFor(cursor?.offset ?? 0, asked.k),
      head: headLength(this.#ports.config.models),
      lexical,
      vector,
      contributed: contributed.length === 0 ? null : this.#askable(contributed, run),
      reranker,
      settings: this.#ports.config.search,
      store,
      heldShareOf: async (id) => heldShare(analysed, (await store.getChunks([id]))[0], index),
      passagesOf: (ids) => this.#passages.read(ids, { store, revision }),
      signal: run.signal,
    };
    const keyOf = (stages: Ranking['stages']): string => `${revision} ${stages.join('+')} ${run.queryHash}`;
    const cached = asked.cache && !asked.explain;
    const known = cached ? this.#rankings.get(keyOf(likelyStages(request)), request.needed) : undefined;
    const ranking = known ?? (await rankChunks(request));
    if (cursor !== null) requireStages(cursor, ranking.stages);
    if (cached && known === undefined) this.#rankings.set(keyOf(ranking.stages), ranking);
    return ranking;
  }

  #askable(
    contributed: readonly ContributedRetriever[],
    { asked: { filters }, analysed, store, index, signal }: Run,
  ): ContributedSides {
    const retrieval = { query: analysed, filters };
    const timeoutMs = this.#ports.config.search.retrieverTimeoutS * 1000;
    const admittedOf = admission({ ...retrieval, store, index });
    return new ContributedSides(contributed, { retrieval, timeoutMs, admittedOf, signal });
  }

  /** The answer, cut to its budget. */
  #respond({ asked, analysed, queryHash }: Run, page: FoundPage, expect: Expectation | null): SearchResponse {
    const { ranking, hits, found } = page;
    const { stages } = ranking;
    const cursorAt = (offset: number): string =>
      encodeCursor({ offset, corpusRevision: page.revision, queryHash, stages });
    const response: SearchResponse = {
      schema_version: 'search_response.v1',
      hits,
      next_cursor: page.hasMore ? cursorAt(page.offset + asked.k) : null,
      truncated: false,
      mode: ranking.mode,
      degraded: page.degraded,
      ...(expect === null ? {} : { expect }),
    };
    if (asked.maxTokens === null) return response;
    return fitBudget({
      response,
      maxTokens: asked.maxTokens,
      snippetChars: asked.snippetChars,
      resnip: (hit, maxChars) => makeSnippet(found[hit]?.chunk.text ?? '', analysed, maxChars),
      cursorBehind: (count) => cursorAt((hits[count]?.rank ?? 1) - 1),
    });
  }

  #rankingSettings(): Record<string, number | string> {
    const { rrfK, weightLexical, weightVector, weightRetrievers, candidates } = this.#ports.config.search;
    const { embedding, rerank } = this.#ports.config.models;
    const { provider, model, version } = embedding;
    const reranker = rerank.provider === 'none' ? 'none' : `${rerank.provider} ${rerank.model} ${rerank.topN}`;
    const rules = RANKING_RULES;
    const weights = { weightLexical, weightVector, weightRetrievers };
    return { rrfK, ...weights, candidates, provider, model, version, reranker, rules };
  }
}

/** A list that began without vectors, a retriever or a reranker goes on without them, even if there are some now. */
function beginningAs(cursor: CursorState | null, { vector, contributed, reranker }: Sides): Sides {
  if (cursor === null) return { vector, contributed, reranker };
  const { stages } = cursor;
  return {
    vector: !stages.includes('vector') && vector?.kind === 'ready' ? null : vector,
    contributed: contributed.filter((one) => one.kind === 'absent' || stages.includes(one.stage)),
    reranker: !stages.includes('rerank') && reranker?.kind === 'ready' ? null : reranker,
  };
}

function rejectExclusionsOnly({ text, terms, phrases, excluded }: AnalysedQuery): void {
  if (terms.length > 0 || phrases.length > 0 || excluded.length === 0) return;
  throw invalidInput('the query only says what must not occur', {
    field: 'query',
    value: text,
    hint: 'add a word or a phrase to look for',
  });
}
