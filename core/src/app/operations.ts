import type { ListPage } from '../admin/list-docs.ts';
import type { AbortOptions } from '../contracts/contribution.ts';
import type { AskedFilters, FetchOptions, FetchQuery } from '../domain/query.ts';
import type { VerifyOptions } from '../fetch/verify-citation.ts';
import type { TextOrigin } from '../ingest/ingest-external.ts';
import type { IngestOptions } from '../ingest/ingest-context.ts';
import type { WatchOptions } from '../ingest/watch/watch-sources.ts';
import type { AskRequest } from '../requests/ask.ts';
import type { BulkSearchInput, SearchOptions, SearchQuery } from '../requests/search.ts';
import { operationsOver, useCase } from './operation.ts';
import { INGESTING, type AppPorts } from './app-ports.ts';
import type { RefreshOptions } from './index-refresher.ts';
import { ASKING, askRefreshed, openAsk } from './open-ask.ts';
import { TENDING_OPERATIONS } from './tending-operations.ts';

const operation = operationsOver<AppPorts>();

/** A page of a list refers to the index as it was when the list began. */
function unlessPaging(options: RefreshOptions, cursor: string | undefined): RefreshOptions {
  return cursor === undefined ? options : { ...options, refresh: false };
}

/** The ports for reading stored documents with the freshness of their files. */
const READING = ['documents', 'connectors', 'config', 'clock', 'log'] as const;
/** Those ports, with the working directory for typed paths. */
const LOOKING_UP = [...READING, 'cwd'] as const;

/**
 * Every use case of kebab: its name, whether it writes, its ports, and where its code is. `App`, the facade, and the checks of read-only
 * mode are derived from this table.
 */
export const OPERATIONS = {
  /** One page of hits. */
  search: operation({
    label: 'search',
    writes: false,
    needs: ['searcher', 'refresher'],
    load: async ({ searcher, refresher }) => {
      const { search } = await searcher();
      return async (query: SearchQuery, options: SearchOptions & AbortOptions = {}) =>
        search(query, { ...options, index: await refresher.refresh(unlessPaging(options, options.cursor)) });
    },
  }),

  /** The passages of hits in the context of their documents, with the matches of the query. */
  showPassages: operation({
    label: 'passages',
    writes: false,
    needs: ['documents', 'lexicalIndex', 'config'],
    load: useCase(async () => (await import('../search/show-passages.ts')).showPassages),
  }),

  /** Answers in input order; a failing query fills its own `error`. Throws `invalid_input` for more than 100. */
  bulkSearch: operation({
    label: 'bulk search',
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
    writes: ({ session }: AskRequest) => (session === undefined ? null : 'ask --session'),
    needs: [...ASKING, 'refresher'],
    load: async ({ refresher, ...ports }) => askRefreshed(await openAsk(ports), refresher),
  }),

  /** Conversations, most recently used first. */
  listSessions: operation({
    label: 'sessions list',
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
    writes: false,
    needs: [...LOOKING_UP, 'refresher'],
    load: async ({ refresher, ...ports }) => {
      const { fetchText } = await import('../fetch/fetch-text.ts');
      return async (query: FetchQuery, options: FetchOptions & RefreshOptions = {}) => {
        // An id refers to an earlier result; a path, to the current content.
        if (query.kind === 'uri') await refresher.refresh(options);
        return fetchText(ports, query, options);
      };
    },
  }),

  /** The documents at a path, below a folder, or matching a glob. */
  nameDocuments: operation({
    label: 'get',
    writes: false,
    needs: ['documents', 'config', 'cwd', 'refresher'],
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
    writes: false,
    needs: ['documents', 'extractors', 'chunkers', 'ocrEngines', 'config', 'clock', 'log', 'extraction', 'cwd'],
    load: useCase(async () => (await import('../fetch/snap-citation.ts')).snapCitation),
  }),

  /** The location of the file of a cited place, with the line or page in it. */
  locate: operation({
    label: 'open',
    writes: false,
    needs: LOOKING_UP,
    load: useCase(async () => (await import('../fetch/locate-citation.ts')).locateCitation),
  }),

  /** Whether the text that a URI designates still has the hash it was cited with. */
  verifyCitation: operation({
    label: 'cite verify',
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
    writes: true,
    here: true,
    needs: INGESTING,
    load: async ({ extraction, ...ports }) => {
      const { ingestFolder } = await import('../ingest/ingest-folder.ts');
      const given = { ...ports, isolated: await extraction() };
      return (options: IngestOptions = {}) => ingestFolder(given, options);
    },
  }),

  /**
   * Watches the folders and indexes changes, until the signal fires, the database is replaced, or the service ends. All listeners of one
   * App, or of one service, share one watcher.
   */
  watch: operation({
    label: 'watch',
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
    writes: false,
    streams: true,
    lasts: true,
    needs: ['documents', 'openedFiles'],
    load: useCase(async () => (await import('./follow-corpus.ts')).followCorpus),
  }),

  /** Adds one file from outside the sources. */
  ingestFile: operation({
    label: 'ingest-file',
    writes: true,
    needs: INGESTING,
    load: async ({ extraction, ...ports }) => {
      const { ingestFile } = await import('../ingest/ingest-external.ts');
      const given = { ...ports, isolated: await extraction() };
      return (path: string, options: IngestOptions = {}) => ingestFile(given, path, options);
    },
  }),

  /** Adds a Markdown text. */
  ingestText: operation({
    label: 'ingest-stdin',
    writes: true,
    needs: INGESTING,
    load: async ({ extraction, ...ports }) => {
      const { ingestText } = await import('../ingest/ingest-external.ts');
      const given = { ...ports, isolated: await extraction() };
      return (content: string, origin: TextOrigin, options: IngestOptions = {}) =>
        ingestText(given, { ...origin, content }, options);
    },
  }),

  /** Removes a document that was added by hand, with kebab's copy of it. */
  removeDocument: operation({
    label: 'rm',
    writes: true,
    needs: ['documents', 'config', 'cwd'],
    load: useCase(async () => (await import('../ingest/purge.ts')).removeDocument),
  }),

  /** One page of documents, by source and path. */
  listDocs: operation({
    label: 'list docs',
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

  inspectDoc: operation({
    label: 'inspect doc',
    writes: false,
    needs: READING,
    load: useCase(async () => (await import('../admin/inspect.ts')).inspectDocument),
  }),

  inspectChunk: operation({
    label: 'inspect chunk',
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
    writes: false,
    needs: ['documents', 'config', 'cwd'],
    load: async ({ documents, ...surroundings }) => {
      const { documentIdOf } = await import('../documents/find-document.ts');
      const { resolveId } = await import('../documents/find-document.ts');
      return async (kind: 'document' | 'chunk', text: string): Promise<string> => {
        const store = await documents.read();
        return kind === 'chunk' ? resolveId(store, kind, text) : documentIdOf(store, text, surroundings);
      };
    },
  }),

  ...TENDING_OPERATIONS,
} as const;
