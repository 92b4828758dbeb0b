import type { Scope } from '../access/caller.ts';
import type { TokenRequest } from '../access/tokens.ts';
import type { ListPage } from '../admin/list-docs.ts';
import type { ConfigRequest } from '../admin/run-config.ts';
import type { TrustRequest } from '../admin/run-trust.ts';
import type { AskOptions } from '../ask/run/ask-sources.ts';
import type { AbortOptions } from '../contracts/contribution.ts';
import type { DocumentStore } from '../contracts/document-store.ts';
import type { DocumentId } from '../domain/ids.ts';
import type { AskedFilters, CitedQuery, FetchOptions, FetchQuery } from '../domain/query.ts';
import type { EvalCompareOptions, EvalOptions, EvalRequest } from '../eval/query-result.ts';
import type { OutlinePage, OutlineQuery } from '../fetch/outline.ts';
import type { VerifyOptions } from '../fetch/verify-citation.ts';
import type { IngestOptions } from '../ingest/ingest-context.ts';
import type { TextOrigin } from '../ingest/ingest-external.ts';
import type { WatchOptions } from '../ingest/watch/watch-sources.ts';
import type { AskRequest } from '../requests/ask.ts';
import type { BulkSearchInput, SearchOptions, SearchQuery } from '../requests/search.ts';
import type { SymbolRequest } from '../requests/symbol.ts';
import type { GrepRequest } from '../requests/grep.ts';
import type { GrepOptions, WhyExcluded } from '../search/grep/grep-files.ts';
import type { Answer, SearchResponse, SkippedFile } from '../wire/index.ts';
import { INDEXING, INGESTING, type AppPorts } from './app-ports.ts';
import type { IndexRefresher, RefreshOptions } from './index-refresher.ts';

/** One row of the table of operations: a use case as a function of the ports it names. */
interface Operation<
  Needs extends keyof AppPorts,
  Args extends readonly unknown[],
  Result extends Promise<unknown> | AsyncIterable<unknown>,
> {
  /** Its name for users, as on the command line: `cite verify`. */
  readonly label: string;
  /** What a caller with a token needs; `admin` for what concerns all documents, the machine or the configuration. */
  readonly scope: Scope;
  /** Always, never, or depending on its arguments, in which case the result is named in the error of read-only mode. */
  readonly writes: boolean | ((...args: never) => string | null);
  readonly needs: readonly Needs[];
  /**
   * Always runs in the calling process, even when there is a service: it changes what a service depends on (configuration, trust, models,
   * the database as a whole), concerns this process, or takes so long that a separate process is better.
   */
  readonly runsLocally?: true;
  /** Returns a stream of values. */
  readonly streams?: true;
  /**
   * Runs until its caller ends it, through the signal in its first argument, or its process ends. It does not count as activity that keeps
   * an idle service alive.
   */
  readonly lasts?: true;
  /** Imports the code of the use case and binds its ports; called once per App, when the operation is first used. */
  readonly load: (ports: Pick<AppPorts, Needs>) => Promise<(...args: Args) => Result>;
}

/** The method of the facade for an operation. */
export type MethodOf<O> = O extends { readonly load: (ports: never) => Promise<infer Run> } ? Run : never;

/** Declares a row; the types of arguments and result are those of the use case. */
function operation<
  const Needs extends keyof AppPorts,
  Args extends readonly unknown[],
  Result extends Promise<unknown> | AsyncIterable<unknown>,
>(row: Operation<Needs, Args, Result>): Operation<Needs, Args, Result> {
  return row;
}

/** The ports for reading stored documents with the freshness of their files. */
const READING = ['documents', 'connectors', 'config', 'clock', 'log'] as const;
/** Those ports, with the working directory for typed paths. */
const LOOKING_UP = [...READING, 'cwd'] as const;
/** The ports of asking. */
const ASKING = [
  'searcher',
  'documents',
  'lexicalIndex',
  'sessions',
  'embedders',
  'languageModels',
  'groundednessCheckers',
  'interceptors',
  'hooks',
  'config',
  'clock',
  'log',
  'cwd',
  'randomBytes',
  'mayRead',
] as const;
/** The ports for telling why a file is not indexed. */
const EXPLAINING = [...READING, 'extractors', 'chunkers', 'installing', 'mayRead'] as const;
type Explaining = Pick<AppPorts, (typeof EXPLAINING)[number]>;
/** The ports for describing the whole base. */
const DESCRIBING = [...EXPLAINING, 'embedders', 'languageModels'] as const;
/** The ports for reading and changing the configuration. */
const CONFIGURING = ['resolution', 'resolveAgain', 'cwd', 'env', 'homeDir'] as const;
/** The ports for installing plugins. */
const INSTALLING = ['installing', ...CONFIGURING] as const;
/** The ports for managing models. */
const OF_MODELS = [
  'modelCatalogs',
  'embedders',
  'languageModels',
  'rerankers',
  'groundednessCheckers',
  'ocrEngines',
  'captioners',
  'config',
  'clock',
] as const;

/**
 * Every use case of kebab: its name, whether it writes, its ports, and where its code is. `App`, the facade, and the checks of read-only
 * mode are derived from this table.
 */
export const OPERATIONS = {
  /** One page of hits. */
  search: operation({
    label: 'search',
    scope: 'read',
    writes: false,
    needs: ['searcher', 'refresher', ...EXPLAINING],
    load: async ({ searcher, refresher, ...ports }) => {
      const { search } = await searcher();
      return async (query: SearchQuery, options: SearchOptions & AbortOptions = {}) => {
        const index = await refresher.refresh(unlessPaging(options, options.cursor));
        return withUnread(ports, query, { response: await search(query, { ...options, index }), options });
      };
    },
  }),

  /** The commits whose message or changed lines match a query, read from git. */
  searchCommits: operation({
    label: 'search --commits',
    scope: 'admin',
    writes: false,
    runsLocally: true,
    needs: ['documents', 'config', 'clock', 'env'],
    load: useCase(async () => (await import('../search/search-commits.ts')).searchCommits),
  }),

  /** The passages of hits in the context of their documents, with the matches of the query. */
  showPassages: operation({
    label: 'passages',
    scope: 'read',
    writes: false,
    needs: ['documents', 'lexicalIndex', 'config'],
    load: useCase(async () => (await import('../search/show-passages.ts')).showPassages),
  }),

  /** One page of the lines of all files that match a pattern, indexed or not. */
  grep: operation({
    label: 'grep',
    scope: 'read',
    writes: false,
    needs: EXPLAINING,
    load: async (ports) => {
      const { grepFiles } = await import('../search/grep/grep-files.ts');
      const whyExcluded: WhyExcluded = async (at) => {
        const skipped = await whySkipped(ports, at);
        return skipped !== null && EXCLUDED.has(skipped.reason) ? skipped.why : null;
      };
      return (request: GrepRequest, options: GrepOptions = {}) =>
        grepFiles({ ...ports, whyExcluded }, request, options);
    },
  }),

  /** What ripgrep prints of the files of the sources, line by line. */
  grepLines: operation({
    label: 'grep lines',
    scope: 'admin',
    writes: false,
    streams: true,
    needs: ['documents', 'config'],
    load: useCase(async () => (await import('../search/grep/grep-lines.ts')).grepLines),
  }),

  /** Answers in input order; a failing query fills its own `error`. Throws `invalid_input` for more than 100. */
  bulkSearch: operation({
    label: 'bulk search',
    scope: 'read',
    writes: false,
    streams: true,
    needs: ['searcher', 'refresher'],
    load: async ({ searcher, refresher }) => {
      const { bulkSearch } = await import('../search/bulk-search.ts');
      const { search } = await searcher();
      return async function* (
        queries: readonly (BulkSearchInput | string)[],
        options: Pick<SearchOptions, 'cache' | 'refresh'> & AbortOptions = {},
      ) {
        yield* bulkSearch(search, queries, { ...options, index: await refresher.refresh(options) });
      };
    },
  }),

  /**
   * Answers a question from the documents, or refuses: both are results. A session is rejected in read-only mode. When the signal fires,
   * the partial answer is the result.
   */
  ask: operation({
    label: 'ask',
    scope: 'ask',
    writes: ({ session }: AskRequest) => (session === undefined ? null : 'ask --session'),
    needs: [...ASKING, 'refresher'],
    load: async ({ refresher, ...ports }) => askRefreshed(await openAsk(ports), refresher),
  }),

  /** Conversations, most recently used first. */
  listSessions: operation({
    label: 'sessions list',
    scope: 'ask',
    writes: false,
    needs: ['sessions'],
    load: async (ports) => {
      const { listSessions } = await import('../ask/sessions/chat-sessions.ts');
      return (_options?: AbortOptions) => listSessions(ports);
    },
  }),

  /** A conversation with its turns. Throws `invalid_input` for an unknown name. */
  showSession: operation({
    label: 'sessions show',
    scope: 'ask',
    writes: false,
    needs: ['sessions'],
    load: async (ports) => {
      const { showSession } = await import('../ask/sessions/chat-sessions.ts');
      return (name: string, _options?: AbortOptions) => showSession(ports, name);
    },
  }),

  /** Deletes a conversation and returns its summary. Throws `invalid_input` for an unknown name. */
  deleteSession: operation({
    label: 'sessions delete',
    scope: 'ask',
    writes: true,
    needs: ['sessions'],
    load: async (ports) => {
      const { deleteSession } = await import('../ask/sessions/chat-sessions.ts');
      return (name: string, _options?: AbortOptions) => deleteSession(ports, name);
    },
  }),

  /** The exact text of a chunk, document, span or URI. */
  fetch: operation({
    label: 'fetch',
    scope: 'read',
    writes: false,
    needs: ['cwd', ...EXPLAINING, 'refresher'],
    load: async ({ refresher, ...ports }) => {
      const { fetchText } = await import('../fetch/fetch-text.ts');
      return async (query: FetchQuery, options: FetchOptions & RefreshOptions = {}) => {
        // An id refers to an earlier result; a path, to the current content.
        if (query.kind !== 'uri') return fetchText(ports, query, options);
        await refresher.refresh(options);
        return explained(ports, query.uri, () => fetchText(ports, query, options));
      };
    },
  }),

  /** The units of a file, or of the files of a folder, with their lines. */
  outline: operation({
    label: 'outline',
    scope: 'read',
    writes: false,
    needs: ['cwd', ...EXPLAINING, 'lexicalIndex', 'refresher'],
    load: async ({ refresher, ...ports }) => {
      const { outline } = await import('../fetch/outline.ts');
      return async (query: OutlineQuery, options: OutlinePage & RefreshOptions = {}) => {
        await refresher.refresh(unlessPaging(options, options.cursor));
        return 'docId' in query
          ? outline(ports, query, options)
          : explained(ports, query.path, () => outline(ports, query, options));
      };
    },
  }),

  /** Where a name is declared in source code, or each line that uses it. */
  findSymbol: operation({
    label: 'symbol',
    scope: 'read',
    writes: false,
    needs: ['documents', 'lexicalIndex', 'config', 'clock', 'refresher'],
    load: async ({ refresher, ...ports }) => {
      const { findSymbol } = await import('../search/find-symbol.ts');
      return async (request: SymbolRequest, options: RefreshOptions = {}) => {
        await refresher.refresh(unlessPaging(options, request.cursor));
        return findSymbol(ports, request, options);
      };
    },
  }),

  /** The documents at a path, below a folder, or matching a glob. */
  nameDocuments: operation({
    label: 'get',
    scope: 'read',
    writes: false,
    needs: ['documents', 'lexicalIndex', 'config', 'cwd', 'refresher'],
    load: async ({ refresher, ...ports }) => {
      const { nameDocuments } = await import('../fetch/name-documents.ts');
      return async (typed: string, options: { readonly source?: string | undefined } & RefreshOptions = {}) => {
        await refresher.refresh(options);
        return nameDocuments(ports, typed, options);
      };
    },
  }),

  /** Renders the page or image of a cited place in its current state, with the cited region outlined where that is known. */
  snap: operation({
    label: 'snap',
    scope: 'read',
    writes: false,
    needs: ['documents', 'extractors', 'chunkers', 'ocrEngines', 'config', 'clock', 'log', 'extraction', 'cwd'],
    load: useCase(async () => (await import('../fetch/snap-citation.ts')).snapCitation),
  }),

  /** The location of the file of a cited place, with the line or page in it. */
  locate: operation({
    label: 'open',
    scope: 'read',
    writes: false,
    needs: ['cwd', ...EXPLAINING],
    load: async (ports) => {
      const { locateCitation } = await import('../fetch/locate-citation.ts');
      return (query: CitedQuery, options: AbortOptions = {}) =>
        query.kind === 'uri'
          ? explained(ports, query.uri, () => locateCitation(ports, query, options))
          : locateCitation(ports, query, options);
    },
  }),

  /** The lines of a cited place, each with its last commit, read from git. */
  blame: operation({
    label: 'get --blame',
    scope: 'admin',
    writes: false,
    runsLocally: true,
    needs: [...LOOKING_UP, 'env'],
    load: useCase(async () => (await import('../fetch/locate-citation.ts')).blameCitation),
  }),

  /** What is around a document or a passage: links in and out, the nearest documents, near copies. */
  related: operation({
    label: 'related',
    scope: 'read',
    writes: false,
    needs: ['documents', 'lexicalIndex', 'config', 'cwd', 'searcher', 'refresher'],
    load: async ({ searcher, refresher, ...ports }) => {
      const { relatedDocuments } = await import('../search/related-documents.ts');
      const { search } = await searcher();
      return async (
        query: CitedQuery,
        options: { readonly limit?: number | undefined } & RefreshOptions & AbortOptions = {},
      ) => {
        await refresher.refresh(options);
        return relatedDocuments({ ...ports, search }, query, options);
      };
    },
  }),

  /** Whether the text that a URI designates still has the hash it was cited with. */
  verifyCitation: operation({
    label: 'cite verify',
    scope: 'read',
    writes: false,
    needs: [...LOOKING_UP, 'refresher'],
    load: async ({ refresher, ...ports }) => {
      const { verifyCitation } = await import('../fetch/verify-citation.ts');
      return async (uri: string, options: VerifyOptions & RefreshOptions = {}) => {
        // Without a hash, the indexed text counts as the cited one.
        if (options.hash !== undefined) await refresher.refresh(options);
        return verifyCitation(ports, uri, options);
      };
    },
  }),

  /** Updates the index to match the sources. */
  ingest: operation({
    label: 'ingest',
    scope: 'admin',
    writes: true,
    runsLocally: true,
    needs: [...INGESTING, 'env'],
    load: isolating(async () => (await import('../ingest/ingest-folder.ts')).ingestFolder),
  }),

  /**
   * Watches the folders and indexes changes, until the signal fires, the database is replaced, or the service ends. All listeners of one
   * App, or of one service, share one watcher.
   */
  watch: operation({
    label: 'watch',
    scope: 'admin',
    writes: true,
    streams: true,
    lasts: true,
    needs: [...INGESTING, 'refresher'],
    load: async ({ extraction, refresher, ...ports }) => {
      const { watchApp } = await import('./app-watcher.ts');
      return (options: WatchOptions = {}) => watchApp({ ...ports, extraction, refresher }, options);
    },
  }),

  /**
   * Yields the current revision of the corpus, and each later one within a second, whichever process wrote it; null while there is no
   * database. Ends when the signal fires, the database or the configuration is replaced, or the service that answers stops.
   */
  followCorpus: operation({
    label: 'follow',
    scope: 'admin',
    writes: false,
    streams: true,
    lasts: true,
    needs: ['documents', 'openedFiles'],
    load: useCase(async () => (await import('./follow-corpus.ts')).followCorpus),
  }),

  /** Adds one file from outside the sources. */
  ingestFile: operation({
    label: 'ingest-file',
    scope: 'admin',
    writes: true,
    needs: INGESTING,
    load: isolating(async () => (await import('../ingest/ingest-external.ts')).ingestFile),
  }),

  /** Adds a Markdown text. */
  ingestText: operation({
    label: 'ingest-stdin',
    scope: 'ingest',
    writes: true,
    needs: INGESTING,
    load: async ({ extraction, ...ports }) => {
      const { ingestText } = await import('../ingest/ingest-external.ts');
      const ingestPorts = { ...ports, isolated: await extraction() };
      return (content: string, origin: TextOrigin, options: IngestOptions = {}) =>
        ingestText(ingestPorts, { ...origin, content }, options);
    },
  }),

  /** Removes a document that was added by hand, with kebab's copy of it. */
  removeDocument: operation({
    label: 'rm',
    scope: 'admin',
    writes: true,
    needs: ['documents', 'lexicalIndex', 'config', 'cwd', 'log'],
    load: useCase(async () => (await import('../ingest/purge.ts')).removeDocument),
  }),

  /** One page of documents, by source and path. */
  listDocs: operation({
    label: 'list docs',
    scope: 'read',
    writes: false,
    needs: [...READING, 'refresher'],
    load: async ({ refresher, ...ports }) => {
      const { listDocuments } = await import('../admin/list-docs.ts');
      return async (filters: AskedFilters = {}, page?: ListPage, options: RefreshOptions = {}) => {
        await refresher.refresh(unlessPaging(options, page?.cursor));
        return listDocuments(ports, filters, page, options);
      };
    },
  }),

  /** One page of documents by folder, with folders folded where there are very many. */
  listFolders: operation({
    label: 'list folders',
    scope: 'read',
    writes: false,
    needs: ['documents', 'config', 'clock', 'refresher'],
    load: async ({ refresher, ...ports }) => {
      const { listFolders } = await import('../admin/list-folders.ts');
      return async (filters: AskedFilters = {}, page?: ListPage, options: RefreshOptions = {}) => {
        await refresher.refresh(unlessPaging(options, page?.cursor));
        return listFolders(ports, filters, page, options);
      };
    },
  }),

  /** Every file and folder that an ingest leaves out, with the reason and how to change it. */
  listSkipped: operation({
    label: 'list docs --skipped',
    scope: 'read',
    writes: false,
    streams: true,
    needs: EXPLAINING,
    load: async ({ documents, installing, ...ports }) => {
      const { findSkipped } = await import('../ingest/find-skipped.ts');
      const formats = () => formatsOf(installing);
      return async function* (options: AbortOptions = {}) {
        yield* findSkipped(await documents.read(), { ...ports, formats }, options);
      };
    },
  }),

  inspectDoc: operation({
    label: 'inspect doc',
    scope: 'read',
    writes: false,
    needs: [...READING, 'lexicalIndex'],
    load: useCase(async () => (await import('../admin/inspect.ts')).inspectDocument),
  }),

  inspectChunk: operation({
    label: 'inspect chunk',
    scope: 'read',
    writes: false,
    needs: ['documents'],
    load: useCase(async () => (await import('../admin/inspect.ts')).inspectChunk),
  }),

  /**
   * The id that a user's input refers to: an id shortened to at least 6 hex digits, or the path of a document. Throws `invalid_input` when
   * it is ambiguous.
   */
  resolveId: operation({
    label: 'lookup',
    scope: 'read',
    writes: false,
    needs: ['documents', 'config', 'cwd'],
    load: async ({ documents, ...scope }) => {
      const { documentIdOf, resolveId } = await import('../documents/find-document.ts');
      return async (kind: 'document' | 'chunk', text: string): Promise<string> => {
        const store = await documents.read();
        return kind === 'chunk' ? resolveId(store, kind, text) : documentIdOf(store, text, scope);
      };
    },
  }),

  /** Checks for everything that can be wrong; an unhealthy check is a result. */
  doctor: operation({
    label: 'doctor',
    scope: 'admin',
    writes: false,
    needs: [...INDEXING, 'languageModels', 'resolution', 'log', 'pluginReports', 'installing'],
    load: async ({ resolution, pluginReports, installing, ...ports }) => {
      const { diagnose } = await import('../admin/doctor.ts');
      const { findChanges } = await import('../ingest/find-changes.ts');
      return (options: AbortOptions & { readonly deep?: boolean | undefined } = {}) => {
        const { parts } = installing().setup;
        const findLeftOut = (store: DocumentStore) =>
          findChanges(store, { ...ports, config: resolution.config }, options);
        const formats = formatsOf(installing);
        return diagnose(
          { resolution, ports, plugins: pluginReports, deep: options.deep ?? false, parts, formats, findLeftOut },
          options,
        );
      };
    },
  }),

  /** The status of the knowledge base, and the next useful command. */
  status: operation({
    label: 'status',
    scope: 'admin',
    writes: false,
    needs: DESCRIBING,
    load: async (ports) => {
      const overview = await openOverview(ports);
      return async (options: AbortOptions = {}) => (await overview(options)).status;
    },
  }),

  /** The status, and what an ingest leaves out of the folders, which are walked once for both. */
  overview: operation({
    label: 'overview',
    scope: 'admin',
    writes: false,
    runsLocally: true,
    needs: DESCRIBING,
    load: openOverview,
  }),

  /** Versions, capabilities and counts. */
  schema: operation({
    label: 'schema',
    scope: 'read',
    writes: false,
    needs: [
      ...INDEXING,
      'retrievers',
      'rerankers',
      'languageModels',
      'groundednessCheckers',
      'config',
      'clock',
      'log',
      'pluginReports',
    ],
    load: useCase(async () => (await import('../admin/describe-schema.ts')).describeSchema),
  }),

  /** Writes the configuration file and creates its folders, for the user or for a project. */
  init: operation({
    label: 'init',
    scope: 'admin',
    writes: true,
    runsLocally: true,
    needs: ['documents', ...CONFIGURING, 'initAgain', 'randomBytes'],
    load: useCase(async () => (await import('./perform-sources.ts')).performInit),
  }),

  /** Reads one setting, or changes it in the configuration file in effect. */
  config: operation({
    label: 'config',
    scope: 'admin',
    writes: ({ kind }: ConfigRequest) => (kind === 'get' ? null : `config ${kind}`),
    runsLocally: true,
    needs: CONFIGURING,
    load: useCase(async () => (await import('../admin/run-config.ts')).runConfig),
  }),

  /** Adds a folder, or a clone of a repository, to the sources that the configuration names. */
  addSource: operation({
    label: 'add',
    scope: 'admin',
    writes: true,
    runsLocally: true,
    needs: ['documents', 'connectors', 'extractors', ...CONFIGURING, 'config'],
    load: useCase(async () => (await import('./perform-sources.ts')).performAdd),
  }),

  /** Removes a source from the configuration and its documents from the index. */
  removeSource: operation({
    label: 'remove',
    scope: 'admin',
    writes: true,
    runsLocally: true,
    needs: ['documents', 'lexicalIndex', 'vectorStores', ...CONFIGURING, 'config', 'log'],
    load: useCase(async () => (await import('./perform-sources.ts')).performRemove),
  }),

  /** Every source with its folder and its documents. */
  listSources: operation({
    label: 'list sources',
    scope: 'admin',
    writes: false,
    needs: ['documents', 'config'],
    load: useCase(async () => (await import('../admin/sources.ts')).listSources),
  }),

  /**
   * Rebuilds damaged parts from intact ones, and from the files of documents. Throws `store_damaged` when the damage cannot be repaired.
   */
  repair: operation({
    label: 'repair',
    scope: 'admin',
    writes: true,
    runsLocally: true,
    needs: [...INGESTING, 'release'],
    load: isolating(async () => (await import('./perform-repair.ts')).performRepair),
  }),

  /** Removes what kebab created, by scope. */
  reset: operation({
    label: 'reset',
    scope: 'admin',
    writes: true,
    runsLocally: true,
    needs: [...INDEXING, 'config', 'log', 'resolution', 'release'],
    load: useCase(async () => (await import('./perform-repair.ts')).performReset),
  }),

  /** The completions of a typed prefix, for a shell. */
  completeValue: operation({
    label: 'complete',
    scope: 'admin',
    writes: false,
    needs: ['documents', 'sessions', 'modelCatalogs', 'resolution', 'installing'],
    load: useCase(async () => (await import('../admin/complete-value.ts')).completeValue),
  }),

  /** Models that can be downloaded or are configured. */
  modelList: operation({
    label: 'models list',
    scope: 'admin',
    writes: false,
    runsLocally: true,
    needs: OF_MODELS,
    load: useCase(async () => (await import('../admin/models.ts')).listModels),
  }),

  /** Downloads a model, or each configured one; returns the last event. */
  modelPull: operation({
    label: 'models pull',
    scope: 'admin',
    writes: true,
    runsLocally: true,
    needs: OF_MODELS,
    load: useCase(async () => (await import('../admin/models.ts')).pullModels),
  }),

  /** Copies all vectors from one vector store to another. */
  copyVectors: operation({
    label: 'vectors copy',
    scope: 'admin',
    writes: true,
    runsLocally: true,
    needs: ['documents', 'vectorStores'],
    load: useCase(async () => (await import('../admin/copy-vectors.ts')).copyVectors),
  }),

  /** Takes files from the queue of the store and ingests them, until its signal fires. */
  work: operation({
    label: 'worker',
    scope: 'admin',
    writes: true,
    runsLocally: true,
    needs: INGESTING,
    load: isolating(async () => (await import('../ingest/work-off-queue.ts')).workOffQueue),
  }),

  /** Copies the knowledge base to another store. */
  move: operation({
    label: 'move',
    scope: 'admin',
    writes: true,
    runsLocally: true,
    needs: ['documents', 'sessions', 'vectorStores', 'config', 'openBase', ...CONFIGURING],
    load: useCase(async () => (await import('./perform-move.ts')).performMove),
  }),

  /**
   * Runs a golden suite and stores the results. A failing query is counted, and the run continues; a cancelled run is not stored. Throws
   * `invalid_input` with all mistakes in the suite, sorted.
   */
  evalRun: operation({
    label: 'eval run',
    scope: 'admin',
    writes: true,
    runsLocally: true,
    needs: [...ASKING, 'vectorStores', 'retrievers', 'connectors'],
    load: async (ports) => {
      const { runSuite } = await import('../eval/run/run-suite.ts');
      const { verifyCitation } = await import('../fetch/verify-citation.ts');
      const { search } = await ports.searcher();
      const sources = {
        ...ports,
        search,
        ask: await openAsk(ports),
        verify: (uri: string, options: VerifyOptions) => verifyCitation(ports, uri, options),
      };
      return (request: EvalRequest, options?: EvalOptions) => runSuite(sources, request, options);
    },
  }),

  /** The metrics of a run, computed from its stored results. Throws `invalid_input` for an unknown id. */
  evalAggregate: operation({
    label: 'eval aggregate',
    scope: 'admin',
    writes: false,
    runsLocally: true,
    needs: ['documents'],
    load: async (ports) => {
      const { aggregateRun } = await import('../eval/compare/compare-runs.ts');
      return (runId: string, _options?: AbortOptions) => aggregateRun(ports, runId);
    },
  }),

  /** Compares two runs by query; b − a. Writing a report is rejected in read-only mode. */
  evalCompare: operation({
    label: 'eval compare',
    scope: 'admin',
    writes: (_a: string, _b: string, options?: EvalCompareOptions) =>
      options?.writeReport === true ? 'eval compare --write-report' : null,
    runsLocally: true,
    needs: ['documents', 'config'],
    load: async (ports) => {
      const { compareStoredRuns } = await import('../eval/compare/compare-runs.ts');
      return (a: string, b: string, options?: EvalCompareOptions) => compareStoredRuns(ports, { a, b }, options);
    },
  }),

  /** Lists trusted project files, trusts one in its current state, or revokes the trust. */
  trust: operation({
    label: 'trust',
    scope: 'admin',
    writes: ({ kind }: TrustRequest) => (kind === 'list' ? null : 'trust'),
    runsLocally: true,
    needs: ['resolution', 'env', 'homeDir'],
    load: useCase(async () => (await import('../admin/run-trust.ts')).runTrust),
  }),

  /** Lists the tokens with which clients of the HTTP servers prove who they are, creates one or revokes one. */
  tokens: operation({
    label: 'token',
    scope: 'admin',
    writes: ({ kind }: TokenRequest) => (kind === 'list' ? null : `token ${kind}`),
    runsLocally: true,
    needs: ['config', 'clock'],
    load: async (ports) => {
      const { manageTokens } = await import('../access/tokens.ts');
      return async (request: TokenRequest) => manageTokens(request, ports);
    },
  }),

  /** Who sends a request with a bearer token, or without one (null). */
  identify: operation({
    label: 'identify',
    scope: 'admin',
    writes: false,
    runsLocally: true,
    needs: ['config', 'clock'],
    load: async (ports) => (await import('../access/identify.ts')).openIdentification(ports),
  }),

  /** A step of the login of a browser by the issuer. */
  login: operation({
    label: 'login',
    scope: 'admin',
    writes: false,
    runsLocally: true,
    needs: ['config', 'clock'],
    load: async (ports) => (await import('../access/browser-login.ts')).openLogin(ports),
  }),

  configView: operation({
    label: 'config show',
    scope: 'admin',
    writes: false,
    needs: ['resolution'],
    load: async ({ resolution }) => {
      const { configView } = await import('../config/annotated-config.ts');
      return async () => configView(resolution);
    },
  }),

  configPaths: operation({
    label: 'config path',
    scope: 'admin',
    writes: false,
    needs: ['resolution'],
    load: async ({ resolution }) => {
      const { configPaths } = await import('../config/annotated-config.ts');
      return async () => configPaths(resolution);
    },
  }),

  pluginList: operation({
    label: 'plugin list',
    scope: 'admin',
    writes: false,
    runsLocally: true,
    needs: ['pluginReports'],
    load: async ({ pluginReports }) => {
      const { listPlugins } = await import('../admin/plugin-explain.ts');
      return async () => listPlugins(pluginReports());
    },
  }),

  /** Installs a plugin, or an optional part of kebab, into kebab's own folder, and enables it for the user. */
  pluginInstall: operation({
    label: 'plugin install',
    scope: 'admin',
    writes: true,
    runsLocally: true,
    needs: INSTALLING,
    load: (ports) =>
      useCase(async () => (await import('../admin/installing/install-plugin.ts')).installPlugin)(installTools(ports)),
  }),

  /** Reinstalls what was installed, in its latest available version. */
  pluginUpdate: operation({
    label: 'plugin update',
    scope: 'admin',
    writes: true,
    runsLocally: true,
    needs: INSTALLING,
    load: (ports) =>
      useCase(async () => (await import('../admin/installing/install-plugin.ts')).updatePlugin)(installTools(ports)),
  }),

  /** Uninstalls a plugin or part, and removes it from the user's configuration; documents are kept. */
  pluginRemove: operation({
    label: 'plugin remove',
    scope: 'admin',
    writes: true,
    runsLocally: true,
    needs: INSTALLING,
    load: (ports) =>
      useCase(async () => (await import('../admin/installing/install-plugin.ts')).removePlugin)(installTools(ports)),
  }),

  /** Plugins in the configured npm registry. */
  pluginSearch: operation({
    label: 'plugin search',
    scope: 'admin',
    writes: false,
    runsLocally: true,
    needs: ['env', 'cwd'],
    load: useCase(async () => (await import('../admin/plugin-explain.ts')).searchPlugins),
  }),

  /** The extractor and chunker for a file of this name, and why they were chosen; the file need not exist. */
  pluginExplain: operation({
    label: 'plugin explain',
    scope: 'admin',
    writes: false,
    runsLocally: true,
    needs: ['extractors', 'chunkers', 'config', 'cwd'],
    load: useCase(async () => (await import('../admin/plugin-explain.ts')).explainPlugin),
  }),

  /** A check for each plugin: loads, configured correctly, healthy. */
  pluginDoctor: operation({
    label: 'plugin doctor',
    scope: 'admin',
    writes: false,
    runsLocally: true,
    needs: ['components', 'plugins', 'pluginReports'],
    load: async ({ components, plugins, pluginReports }) => {
      const { diagnosePlugins } = await import('../admin/plugin-doctor.ts');
      return (options?: AbortOptions) => diagnosePlugins({ components, plugins, reports: pluginReports }, options);
    },
  }),
} as const;

/** Opens asking, with search as the source of evidence. */
async function openAsk(
  ports: Pick<AppPorts, (typeof ASKING)[number]>,
): Promise<(request: AskRequest, options?: AskOptions & RefreshOptions) => Promise<Answer>> {
  const { askQuestion } = await import('../ask/ask-question.ts');
  const { retrieve } = await ports.searcher();
  return (request, options) => askQuestion({ ...ports, retrieve }, request, options);
}

/** Wraps asking so that the index is brought up to date first; what is left is reported in the answer. */
function askRefreshed(
  ask: (request: AskRequest, options?: AskOptions) => Promise<Answer>,
  refresher: IndexRefresher,
): (request: AskRequest, options?: AskOptions & RefreshOptions) => Promise<Answer> {
  return async (request, options = {}) => {
    const index = await refresher.refresh(options);
    if (index === null) return ask(request, options);
    const { onEvent } = options;
    const answer = await ask(request, {
      ...options,
      onEvent: (event) => onEvent?.(event.kind === 'final' ? { ...event, answer: { ...event.answer, index } } : event),
    });
    return { ...answer, index };
  };
}

/** The first page of a search, with the files that it would perhaps have found if they could be read. */
async function withUnread(
  { documents, config, ...ports }: Explaining,
  query: SearchQuery,
  { response, options }: { readonly response: SearchResponse; readonly options: SearchOptions & AbortOptions },
): Promise<SearchResponse> {
  if (options.cursor !== undefined) return response;
  const store = await documents.read();
  const isUnanswered = response.hits.length === 0 || response.nearest_only === true;
  const ids = response.hits.flatMap(({ doc_id: id, unread }) => (unread === undefined ? [id as DocumentId] : []));
  const partlyRead = ids.length === 0 ? [] : await store.partlyRead(ids);
  if (!isUnanswered && partlyRead.length === 0 && (await store.quarantined()).length === 0) return response;
  const { findUnread } = await import('../search/unread-files.ts');
  const explain = async (at: PlaceInSource) => {
    const skipped = await whySkipped({ ...ports, documents, config }, at, options);
    return skipped === null ? null : { why: skipped.why, remedy: skipped.remedy };
  };
  const asked = { text: query.text, source: query.filters?.source, isUnanswered, partlyRead };
  const unread = await findUnread({ store, config, explain }, asked);
  return unread.length === 0 ? response : { ...response, unread };
}

interface PlaceInSource {
  readonly sourceId: string;
  readonly path: string;
}

/** Opens describing a base. */
async function openOverview({ installing, ...ports }: Pick<AppPorts, (typeof DESCRIBING)[number]>) {
  const { openStore } = await import('../documents/open-store.ts');
  const { describeStatus } = await import('../admin/status.ts');
  const { findChanges } = await import('../ingest/find-changes.ts');
  const { leftOutOf } = await import('../ingest/find-skipped.ts');
  const formats = () => formatsOf(installing);
  return async (options: AbortOptions = {}) => {
    const store = await openStore(ports.documents);
    const changes = store === null ? null : await findChanges(store, ports, options);
    const leftOut = async function* () {
      for (const folder of changes?.folders ?? [])
        if (store !== null) yield* leftOutOf(folder, { store, ports: { ...ports, formats } }, options);
    };
    return { status: await describeStatus({ ...ports, changes }, options), leftOut: leftOut() };
  };
}

/** Why an ingest leaves a file out; null for one that it does not. */
async function whySkipped(
  { documents, installing, ...ports }: Explaining,
  at: PlaceInSource,
  { signal }: AbortOptions = {},
): Promise<SkippedFile | null> {
  if (!ports.mayRead(at.sourceId, at.path)) return null;
  const { findSkipped } = await import('../ingest/find-skipped.ts');
  const formats = () => formatsOf(installing);
  const { value } = await findSkipped(await documents.read(), { ...ports, formats }, { at, signal }).next();
  return value ?? null;
}

/** Reasons of the user: what they leave out is read for nobody. */
const EXCLUDED: ReadonlySet<string> = new Set<SkippedFile['reason']>(['kebabignore', 'excluded']);

/** Runs a read of a path; for a file without a document it says why there is none. */
async function explained<T>(
  ports: Explaining & Pick<AppPorts, 'cwd'>,
  typed: string,
  read: () => Promise<T>,
): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const { whyAbsent } = await import('../ingest/find-skipped.ts');
    throw await whyAbsent(error, typed, { ...ports, formats: () => formatsOf(ports.installing) });
  }
}

/** Binds a row's ports to a use case that takes them first; the operation takes its remaining arguments. */
function useCase<Ports, Args extends readonly unknown[], Result>(
  load: () => Promise<(ports: Ports, ...args: Args) => Result>,
): (ports: Ports) => Promise<(...args: Args) => Result> {
  return async (ports) => {
    const perform = await load();
    return (...args) => perform(ports, ...args);
  };
}

/** Like {@link useCase}, for use cases that extract in processes. */
function isolating<Ports, Args extends readonly unknown[], Result>(
  load: () => Promise<(ports: Ports, ...args: Args) => Result>,
): (ports: Omit<Ports, 'isolated'> & Pick<AppPorts, 'extraction'>) => Promise<(...args: Args) => Result> {
  return async ({ extraction, ...ports }) => useCase(load)({ ...ports, isolated: await extraction() } as Ports);
}

function formatsOf(installing: AppPorts['installing']): readonly string[] {
  return Object.keys(installing().setup.formats);
}

function installTools({ installing, ...ports }: Pick<AppPorts, (typeof INSTALLING)[number]>) {
  return { ...installing(), ...ports };
}

/** A page of a list refers to the index as it was when the list began. */
function unlessPaging(options: RefreshOptions, cursor: string | undefined): RefreshOptions {
  return cursor === undefined ? options : { ...options, refresh: false };
}
