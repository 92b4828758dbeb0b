import type { AnalysedQuery } from '../analysis/analysed-query.ts';
import type { ResolvedConfig } from '../config/resolved-config.ts';
import type { AbortOptions, Clock, Logger } from '../contracts/contribution.ts';
import type { ChunkWithDocument, DocumentStore } from '../contracts/document-store.ts';
import type { SearchOptions, SearchQuery } from '../domain/query.ts';
import { throwIfCancelled } from '../errors/abort.ts';
import { invalidInput } from '../errors/invalid-input.ts';
import { isKebabError } from '../errors/kebab-error.ts';
import type { Components } from '../plugin/components.ts';
import type { Degraded, SearchHit, SearchResponse } from '../wire/index.ts';
import { buildTrace } from './build-trace.ts';
import { checkSearch, type CheckedSearch } from './check-search.ts';
import { decodeCursor, encodeCursor, requireStages, type CursorState } from './cursor.ts';
import { fitBudget } from './fit-budget.ts';
import { FreshnessCheck } from './freshness.ts';
import { LexicalRetriever } from './lexical-retriever.ts';
import { makeSnippet } from './make-snippet.ts';
import { monotonicMs } from './monotonic-ms.ts';
import { neededFor, pageOf } from './paginate.ts';
import { placeOf } from './place.ts';
import { hashRanking } from './query-hash.ts';
import { rankChunks, stagesOf, type Ranking } from './rank-chunks.ts';
import { RankingCache } from './ranking-cache.ts';
import { findVectorSide, type VectorSide } from './vector-side.ts';
import { writeHits } from './write-hits.ts';

/** The parts of the configuration that searching reads. */
export type SearchConfig = Pick<ResolvedConfig, 'search' | 'workspace' | 'models'>;

/** What one search works with. */
interface Run {
  readonly asked: CheckedSearch;
  readonly analysed: AnalysedQuery;
  readonly store: DocumentStore;
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

const MAX_ATTEMPTS = 3;

/** Finds chunks for a query: ranked, cut into pages, cited, with how their files stand now. */
export class SearchDocuments {
  readonly #components: Components;
  readonly #config: SearchConfig;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #rankings = new RankingCache();

  constructor(components: Components, config: SearchConfig, clock: Clock, log: Logger) {
    this.#components = components;
    this.#config = config;
    this.#clock = clock;
    this.#log = log;
  }

  /**
   * One page of hits. Errors: `invalid_input` for a query, option, filter or cursor that cannot be used, `stale_cursor`,
   * `not_indexed` without a database and in vector mode without vectors, `cancelled`.
   */
  async search(query: SearchQuery, options: SearchOptions & AbortOptions = {}): Promise<SearchResponse> {
    const started = monotonicMs();
    throwIfCancelled(options.signal, 'search');
    const asked = checkSearch(query, options, this.#config.search);
    const store = await this.#components.first('document_store');
    const lexical = new LexicalRetriever(await this.#components.first('lexical_index'));
    const analysed = lexical.analyse(asked.text);
    rejectExclusionsOnly(analysed);
    const queryHash = hashRanking({ list: 'search', ...asked, settings: this.#rankingSettings() });
    const run: Run = { asked, analysed, store, lexical, queryHash, signal: options.signal };
    const page = await this.#findPage(run);
    const response = this.#respond(run, page);
    if (!asked.explain) return response;
    return { ...response, trace: buildTrace(analysed, page.ranking, monotonicMs() - started) };
  }

  /** Begins again when somebody changes the corpus meanwhile, so that list, hits and cursor are of one revision. */
  async #findPage(run: Run): Promise<FoundPage> {
    const vector = run.asked.mode === 'lexical' ? null : await findVectorSide(this.#components, this.#config);
    for (let attempt = 1; ; attempt++) {
      try {
        const page = await this.#readPage(run, vector);
        if (attempt === MAX_ATTEMPTS || run.store.corpusRevision() === page.revision) return page;
      } catch (error) {
        // A document can be replaced between two reads.
        if (attempt === MAX_ATTEMPTS || !isKebabError(error, 'doc_not_found')) throw error;
      }
    }
  }

  async #readPage(run: Run, vector: VectorSide | null): Promise<FoundPage> {
    const { asked, store, queryHash } = run;
    const revision = store.corpusRevision();
    const cursor = asked.cursor === null ? null : decodeCursor(asked.cursor, { corpusRevision: revision, queryHash });
    const offset = cursor?.offset ?? 0;
    const ranking = await this.#rank(run, { revision, cursor, vector });
    throwIfCancelled(run.signal, 'search');
    const { items: entries, hasMore } = pageOf(ranking.entries, offset, asked.k);
    const found = store.getChunks(entries.map(({ chunkId }) => chunkId));
    const freshness = new FreshnessCheck({
      components: this.#components,
      config: this.#config,
      clock: this.#clock,
      log: this.#log,
      signal: run.signal,
    });
    const hits = await writeHits(
      { offset, entries, found },
      {
        store,
        mode: ranking.mode,
        indexVersion: run.lexical.indexVersion(),
        embeddingModel: ranking.mode === 'lexical' ? null : this.#config.models.embedding.model,
        stateOf: (document) => freshness.check(document),
        snippetOf: ({ chunk }) => makeSnippet(chunk.text, run.analysed, asked.snippetChars),
      },
    );
    const degraded = [...ranking.degraded, ...freshness.degraded];
    return { revision, offset, ranking, found, hits, hasMore, degraded };
  }

  async #rank(
    run: Run,
    { revision, cursor, vector }: { revision: number; cursor: CursorState | null; vector: VectorSide | null },
  ): Promise<Ranking> {
    const { asked, analysed, lexical } = run;
    // A list that began without vectors goes on without them, even if there are some now.
    const side = cursor?.stages.includes('vector') === false && vector?.kind === 'ready' ? null : vector;
    const keyOf = (mode: Ranking['mode']): string => `${revision} ${stagesOf(mode).join('+')} ${run.queryHash}`;
    const needed = neededFor(cursor?.offset ?? 0, asked.k);
    const cached = asked.cache && !asked.explain;
    const known = cached ? this.#rankings.get(keyOf(likelyMode(asked.mode, side)), needed) : undefined;
    const ranking =
      known ??
      (await rankChunks({
        mode: asked.mode,
        retrieval: { query: analysed, filters: asked.filters },
        needed,
        lexical,
        vector: side,
        settings: this.#config.search,
        placeOf: (id) => placeOf(run.store, id),
        signal: run.signal,
      }));
    if (cursor !== null) requireStages(cursor, stagesOf(ranking.mode));
    if (cached && known === undefined) this.#rankings.set(keyOf(ranking.mode), ranking);
    return ranking;
  }

  /** The answer, cut to its budget. */
  #respond({ asked, analysed, queryHash }: Run, page: FoundPage): SearchResponse {
    const { ranking, hits, found } = page;
    const stages = stagesOf(ranking.mode);
    const cursorAt = (offset: number): string =>
      encodeCursor({ offset, corpusRevision: page.revision, queryHash, stages });
    const response: SearchResponse = {
      schema_version: 'search_response.v1',
      hits,
      next_cursor: page.hasMore ? cursorAt(page.offset + asked.k) : null,
      truncated: false,
      mode: ranking.mode,
      degraded: page.degraded,
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
    const { rrfK, weightLexical, weightVector, candidates } = this.#config.search;
    const { provider, model, version } = this.#config.models.embedding;
    return { rrfK, weightLexical, weightVector, candidates, provider, model, version };
  }
}

/** The mode that will run unless the vector side fails at work. */
function likelyMode(mode: Ranking['mode'], vector: VectorSide | null): Ranking['mode'] {
  return mode === 'hybrid' && vector?.kind !== 'ready' ? 'lexical' : mode;
}

function rejectExclusionsOnly({ text, terms, phrases, excluded }: AnalysedQuery): void {
  if (terms.length > 0 || phrases.length > 0 || excluded.length === 0) return;
  throw invalidInput('the query only says what must not occur', {
    field: 'query',
    value: text,
    hint: 'add a word or a phrase to look for',
  });
}
