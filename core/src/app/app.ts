import type { ChunkId, DocumentId } from '../domain/ids.ts';
import type { FetchOptions, FetchQuery, SearchFilters, SearchOptions, SearchQuery } from '../domain/query.ts';
import type {
  BulkSearchInput,
  BulkSearchItem,
  ChunkInspection,
  CitationCheck,
  ConfigPaths,
  ConfigView,
  DocInspection,
  DocList,
  Doctor,
  FetchResult,
  IngestProgress,
  IngestReport,
  InitReport,
  PluginList,
  ResetReport,
  SchemaV1,
  SearchResponse,
  TrustReport,
} from '../wire/index.ts';

/** What every method takes last. */
export interface RunOptions {
  readonly signal?: AbortSignal;
}

/** What an ingest takes. */
export interface IngestOptions extends RunOptions {
  /** Ids of the sources to walk; all by default. */
  readonly sources?: readonly string[];
  /** Leaves the items out of the report. */
  readonly summaryOnly?: boolean;
  readonly forceReingest?: boolean;
  /** Hashes every file, also those whose size and time say they are unchanged. */
  readonly verify?: boolean;
  readonly allowMassDelete?: boolean;
  /** Receives every event; an exception it throws is ignored. */
  readonly onProgress?: (event: IngestProgress) => void;
}

/** What a reset removes. */
export type ResetScope = 'all' | 'data_only' | 'vector_only' | 'config_only' | 'orphans_only';

/**
 * All of kebab, as hosts see it: one method a use case, in and out as domain values and wire objects. Failures are
 * `KebabError`s; refusals, no hits and unhealthy checks are results.
 */
export interface App {
  /** Things worth telling once: ignored keys, unknown variables, plugins that failed. */
  readonly notices: readonly string[];
  search(query: SearchQuery, options?: SearchOptions & RunOptions): Promise<SearchResponse>;
  /** Answers in input order; a failing query fills its own `error`. Throws `invalid_input` for more than 100. */
  bulkSearch(
    queries: readonly (BulkSearchInput | string)[],
    options?: Pick<SearchOptions, 'cache'> & RunOptions,
  ): AsyncIterable<BulkSearchItem>;
  fetch(query: FetchQuery, options?: FetchOptions & RunOptions): Promise<FetchResult>;
  verifyCitation(
    uri: string,
    options?: { readonly hash?: string; readonly source?: string } & RunOptions,
  ): Promise<CitationCheck>;
  ingest(options?: IngestOptions): Promise<IngestReport>;
  ingestFile(path: string, options?: IngestOptions): Promise<IngestReport>;
  ingestText(
    content: string,
    meta: { readonly title: string; readonly sourceUri?: string },
    options?: IngestOptions,
  ): Promise<IngestReport>;
  listDocs(
    filters?: SearchFilters,
    page?: { readonly cursor?: string; readonly limit?: number; readonly maxTokens?: number },
    options?: RunOptions,
  ): Promise<DocList>;
  inspectDoc(id: DocumentId, options?: RunOptions): Promise<DocInspection>;
  inspectChunk(id: ChunkId, options?: RunOptions): Promise<ChunkInspection>;
  /** Completes an id that a person shortened (at least 6 hex digits); throws `invalid_input` when two match. */
  resolveId(kind: 'document' | 'chunk', text: string): Promise<string>;
  doctor(options?: RunOptions): Promise<Doctor>;
  schema(options?: RunOptions): Promise<SchemaV1>;
  init(options?: { readonly force?: boolean } & RunOptions): Promise<InitReport>;
  reset(scope: ResetScope, options?: RunOptions): Promise<ResetReport>;
  configView(): Promise<ConfigView>;
  configPaths(): Promise<ConfigPaths>;
  pluginList(): Promise<PluginList>;
  trust(request: TrustRequest): Promise<TrustReport>;
  /** Frees everything, the last opened first. */
  close(): Promise<void>;
}

/** What to do with the list of trusted project files. */
export type TrustRequest =
  | { readonly kind: 'list' }
  | { readonly kind: 'add'; readonly path: string }
  | { readonly kind: 'revoke'; readonly path: string };
