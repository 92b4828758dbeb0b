import type { ListPage } from '../admin/list-docs.ts';
import type { AskOptions } from '../ask/ask-options.ts';
import type { AskRequest } from '../requests/ask.ts';
import type { BulkSearchInput, SearchOptions, SearchQuery } from '../requests/search.ts';
import type { AbortOptions } from '../contracts/contribution.ts';
import type { IngestOptions } from '../ingest/ingest-options.ts';
import type { ChunkId, DocumentId } from '../domain/ids.ts';
import type { EvalCompareOptions, EvalOptions, EvalRequest } from '../eval/eval-request.ts';
import type { CitedPicture, SnapOptions } from '../fetch/snap-citation.ts';
import type { CitedQuery, FetchOptions, FetchQuery, SearchFilters } from '../domain/query.ts';
import type {
  Answer,
  BulkSearchItem,
  ChunkInspection,
  CitationCheck,
  ConfigPaths,
  ConfigView,
  DocInspection,
  DocList,
  Doctor,
  EvalAggregate,
  EvalCompare,
  EvalRun,
  FetchResult,
  IngestReport,
  InitReport,
  PluginExplain,
  PluginList,
  ResetReport,
  SchemaV1,
  SearchResponse,
  SessionSummary,
  SessionTurns,
  ModelList,
  ModelPull,
  Open,
  TrustReport,
  VectorsCopied,
} from '../wire/index.ts';

/** What a reset removes. */
export type ResetScope = 'all' | 'data_only' | 'vector_only' | 'config_only' | 'orphans_only';

/**
 * All of kebab, as hosts see it: one method a use case, in and out as domain values and wire objects. Failures are
 * `KebabError`s; refusals, no hits and unhealthy checks are results.
 */
export interface App {
  /** Things worth telling once: ignored keys, unknown variables, plugins that failed. */
  readonly notices: readonly string[];
  search(query: SearchQuery, options?: SearchOptions & AbortOptions): Promise<SearchResponse>;
  /** Answers in input order; a failing query fills its own `error`. Throws `invalid_input` for more than 100. */
  bulkSearch(
    queries: readonly (BulkSearchInput | string)[],
    options?: Pick<SearchOptions, 'cache'> & AbortOptions,
  ): AsyncIterable<BulkSearchItem>;
  /**
   * Answers a question from the documents, or refuses to: both are results. Read-only mode refuses a session. When the signal
   * fires, what there is of the answer is the result.
   */
  ask(request: AskRequest, options?: AskOptions): Promise<Answer>;
  /** Conversations, the one used last first. */
  listSessions(options?: AbortOptions): Promise<readonly SessionSummary[]>;
  /** A conversation with its turns. Throws `invalid_input` when there is none of that name. */
  showSession(name: string, options?: AbortOptions): Promise<SessionTurns>;
  /** Removes a conversation and tells what it was. Throws `invalid_input` when there is none of that name. */
  deleteSession(name: string, options?: AbortOptions): Promise<SessionSummary>;
  fetch(query: FetchQuery, options?: FetchOptions & AbortOptions): Promise<FetchResult>;
  /** Renders the page or image of a cited place as it is now, with the cited region outlined where that is known. */
  snap(query: CitedQuery, options?: SnapOptions): Promise<CitedPicture>;
  /** Where the file of a cited place lies, with the line or page in it. */
  locate(query: CitedQuery, options?: AbortOptions): Promise<Open>;
  verifyCitation(
    uri: string,
    options?: { readonly hash?: string | undefined; readonly source?: string | undefined } & AbortOptions,
  ): Promise<CitationCheck>;
  ingest(options?: IngestOptions): Promise<IngestReport>;
  ingestFile(path: string, options?: IngestOptions): Promise<IngestReport>;
  ingestText(
    content: string,
    meta: { readonly title: string; readonly sourceUri?: string | undefined },
    options?: IngestOptions,
  ): Promise<IngestReport>;
  listDocs(filters?: SearchFilters, page?: ListPage, options?: AbortOptions): Promise<DocList>;
  inspectDoc(id: DocumentId, options?: AbortOptions): Promise<DocInspection>;
  inspectChunk(id: ChunkId, options?: AbortOptions): Promise<ChunkInspection>;
  /** Completes an id that a person shortened (at least 6 hex digits); throws `invalid_input` when two match. */
  resolveId(kind: 'document' | 'chunk', text: string): Promise<string>;
  doctor(options?: AbortOptions): Promise<Doctor>;
  schema(options?: AbortOptions): Promise<SchemaV1>;
  init(options?: { readonly force?: boolean } & AbortOptions): Promise<InitReport>;
  reset(scope: ResetScope, options?: AbortOptions): Promise<ResetReport>;
  configView(): Promise<ConfigView>;
  configPaths(): Promise<ConfigPaths>;
  pluginList(): Promise<PluginList>;
  /** Which extractor and chunker a file of this name goes through, and why; the file need not exist. */
  pluginExplain(path: string): Promise<PluginExplain>;
  /** A check for each plugin: loads, configured well, healthy. */
  pluginDoctor(options?: AbortOptions): Promise<Doctor>;
  /** Models that can be fetched or are configured. */
  modelList(): Promise<ModelList>;
  /** Fetches a model, or each configured one; tells the last event. */
  modelPull(
    model?: string,
    options?: { readonly onProgress?: (event: ModelPull) => void } & AbortOptions,
  ): Promise<ModelPull>;
  /** Copies all vectors from one vector store to another. */
  copyVectors(
    request: { readonly from: string; readonly to: string },
    options?: { readonly onProgress?: (copied: number, total: number) => void } & AbortOptions,
  ): Promise<VectorsCopied>;
  /**
   * Runs a golden suite and keeps the results. A query that fails is counted, and the run goes on; a cancelled run is kept
   * nowhere. Throws `invalid_input` with everything that is wrong with the suite, sorted.
   */
  evalRun(request: EvalRequest, options?: EvalOptions): Promise<EvalRun>;
  /** The metrics of a run, computed anew from what is kept of it. Throws `invalid_input` when there is none of that id. */
  evalAggregate(runId: string, options?: AbortOptions): Promise<EvalAggregate>;
  /** Compares two runs, query by query; b − a. Read-only mode refuses to write a report. */
  evalCompare(a: string, b: string, options?: EvalCompareOptions): Promise<EvalCompare>;
  trust(request: TrustRequest): Promise<TrustReport>;
  /** Frees everything, the last opened first. */
  close(): Promise<void>;
}

/** What to do with the list of trusted project files. */
export type TrustRequest =
  | { readonly kind: 'list' }
  | { readonly kind: 'add'; readonly path: string }
  | { readonly kind: 'revoke'; readonly path: string };
