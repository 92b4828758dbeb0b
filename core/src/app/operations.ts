import type { ListPage } from '../admin/list-docs.ts';
import type { AbortOptions } from '../contracts/contribution.ts';
import type { ChunkId, DocumentId } from '../domain/ids.ts';
import type { CitedQuery, FetchOptions, FetchQuery, SearchFilters } from '../domain/query.ts';
import type { SnapOptions } from '../fetch/snap-citation.ts';
import type { VerifyOptions } from '../fetch/verify-citation.ts';
import type { TextOrigin } from '../ingest/run/with-front-matter.ts';
import type { IngestOptions } from '../ingest/ingest-options.ts';
import type { AskRequest } from '../requests/ask.ts';
import type { BulkSearchInput, SearchOptions, SearchQuery } from '../requests/search.ts';
import { operationsOver } from './operation.ts';
import type { AppPorts } from './app-ports.ts';
import { ASKING, openAsk } from './open-ask.ts';
import { TENDING_OPERATIONS } from './tending-operations.ts';

const operation = operationsOver<AppPorts>();

/**
 * Every use case of kebab, once: what it is called, whether it writes, the ports it is given, and where its code is. `App`, the
 * facade, and what read-only mode refuses are derived from this table.
 */
export const OPERATIONS = {
  /** One page of hits. */
  search: operation({
    label: 'search',
    writes: false,
    needs: ['searcher'],
    load: async ({ searcher }) => {
      const search = await searcher();
      return (query: SearchQuery, options?: SearchOptions & AbortOptions) => search.search(query, options);
    },
  }),

  /** Answers in input order; a failing query fills its own `error`. Throws `invalid_input` for more than 100. */
  bulkSearch: operation({
    label: 'bulk search',
    writes: false,
    needs: ['searcher'],
    load: async ({ searcher }) => {
      const { bulkSearch } = await import('../search/bulk-search.ts');
      const search = await searcher();
      return (queries: readonly (BulkSearchInput | string)[], options?: Pick<SearchOptions, 'cache'> & AbortOptions) =>
        bulkSearch((query, each) => search.search(query, each), queries, options);
    },
  }),

  /**
   * Answers a question from the documents, or refuses to: both are results. Read-only mode refuses a session. When the signal
   * fires, what there is of the answer is the result.
   */
  ask: operation({
    label: 'ask',
    writes: ({ session }: AskRequest) => (session === undefined ? null : 'ask --session'),
    needs: ASKING,
    load: openAsk,
  }),

  /** Conversations, the one used last first. */
  listSessions: operation({
    label: 'sessions list',
    writes: false,
    needs: ['components'],
    load: async ({ components }) => {
      const { ChatSessions } = await import('../ask/sessions/chat-sessions.ts');
      const sessions = new ChatSessions(components);
      return (_options?: AbortOptions) => sessions.list();
    },
  }),

  /** A conversation with its turns. Throws `invalid_input` when there is none of that name. */
  showSession: operation({
    label: 'sessions show',
    writes: false,
    needs: ['components'],
    load: async ({ components }) => {
      const { ChatSessions } = await import('../ask/sessions/chat-sessions.ts');
      const sessions = new ChatSessions(components);
      return (name: string, _options?: AbortOptions) => sessions.show(name);
    },
  }),

  /** Removes a conversation and returns what it was. Throws `invalid_input` when there is none of that name. */
  deleteSession: operation({
    label: 'sessions delete',
    writes: true,
    needs: ['components'],
    load: async ({ components }) => {
      const { ChatSessions } = await import('../ask/sessions/chat-sessions.ts');
      const sessions = new ChatSessions(components);
      return (name: string, _options?: AbortOptions) => sessions.remove(name);
    },
  }),

  /** The exact text of a chunk, document, span or URI. */
  fetch: operation({
    label: 'fetch',
    writes: false,
    needs: ['components', 'config', 'clock', 'log'],
    load: async ({ components, config, clock, log }) => {
      const { FetchText } = await import('../fetch/fetch-text.ts');
      const fetching = new FetchText(components, config, clock, log);
      return (query: FetchQuery, options?: FetchOptions & AbortOptions) => fetching.fetch(query, options);
    },
  }),

  /** Renders the page or image of a cited place as it is now, with the cited region outlined where that is known. */
  snap: operation({
    label: 'snap',
    writes: false,
    needs: ['components', 'config', 'clock', 'log', 'extraction'],
    load: async ({ components, config, clock, log, extraction }) => {
      const { SnapCitation } = await import('../fetch/snap-citation.ts');
      const snapping = new SnapCitation({ components, config, clock, log, openExtraction: extraction });
      return (query: CitedQuery, options?: SnapOptions) => snapping.snap(query, options);
    },
  }),

  /** Where the file of a cited place lies, with the line or page in it. */
  locate: operation({
    label: 'open',
    writes: false,
    needs: ['components', 'config', 'clock', 'log'],
    load: async ({ components, config, clock, log }) => {
      const { LocateCitation } = await import('../fetch/locate-citation.ts');
      const locating = new LocateCitation(components, config, clock, log);
      return (query: CitedQuery, options?: AbortOptions) => locating.locate(query, options);
    },
  }),

  /** Whether the text that a URI designates still has the hash it was cited with. */
  verifyCitation: operation({
    label: 'cite verify',
    writes: false,
    needs: ['components', 'config', 'clock', 'log'],
    load: async ({ components, config, clock, log }) => {
      const { VerifyCitation } = await import('../fetch/verify-citation.ts');
      const verifying = new VerifyCitation(components, config, clock, log);
      return (uri: string, options?: VerifyOptions) => verifying.verify(uri, options);
    },
  }),

  /** Brings the index into agreement with the sources. */
  ingest: operation({
    label: 'ingest',
    writes: true,
    needs: ['components', 'config', 'clock', 'log', 'extraction'],
    load: async ({ components, config, clock, log, extraction }) => {
      const { IngestFolder } = await import('../ingest/run-ingest.ts');
      const ingesting = new IngestFolder(components, config, clock, log, await extraction());
      return (options: IngestOptions = {}) => ingesting.run(options);
    },
  }),

  /** Adds one file from outside the sources. */
  ingestFile: operation({
    label: 'ingest-file',
    writes: true,
    needs: ['components', 'config', 'clock', 'log', 'extraction'],
    load: async ({ components, config, clock, log, extraction }) => {
      const { IngestExternal } = await import('../ingest/ingest-external.ts');
      const ingesting = new IngestExternal(components, config, clock, log, await extraction());
      return (path: string, options: IngestOptions = {}) => ingesting.ingestFile(path, options);
    },
  }),

  /** Adds a Markdown text. */
  ingestText: operation({
    label: 'ingest-stdin',
    writes: true,
    needs: ['components', 'config', 'clock', 'log', 'extraction'],
    load: async ({ components, config, clock, log, extraction }) => {
      const { IngestExternal } = await import('../ingest/ingest-external.ts');
      const ingesting = new IngestExternal(components, config, clock, log, await extraction());
      return (content: string, meta: TextOrigin, options: IngestOptions = {}) =>
        ingesting.ingestText(content, meta, options);
    },
  }),

  /** One page of documents, by source and path. */
  listDocs: operation({
    label: 'list docs',
    writes: false,
    needs: ['components', 'config', 'clock', 'log'],
    load: async ({ components, config, clock, log }) => {
      const { ListDocs } = await import('../admin/list-docs.ts');
      const listing = new ListDocs(components, config, clock, log);
      return (filters?: SearchFilters, page?: ListPage, options?: AbortOptions) => listing.list(filters, page, options);
    },
  }),

  inspectDoc: operation({
    label: 'inspect doc',
    writes: false,
    needs: ['components', 'config', 'clock', 'log'],
    load: async ({ components, config, clock, log }) => {
      const { Inspect } = await import('../admin/inspect.ts');
      const inspecting = new Inspect(components, config, clock, log);
      return (id: DocumentId, options?: AbortOptions) => inspecting.document(id, options);
    },
  }),

  inspectChunk: operation({
    label: 'inspect chunk',
    writes: false,
    needs: ['components', 'config', 'clock', 'log'],
    load: async ({ components, config, clock, log }) => {
      const { Inspect } = await import('../admin/inspect.ts');
      const inspecting = new Inspect(components, config, clock, log);
      return (id: ChunkId, options?: AbortOptions) => inspecting.chunk(id, options);
    },
  }),

  /** Completes an id that a person shortened (at least 6 hex digits); throws `invalid_input` when two match. */
  resolveId: operation({
    label: 'lookup',
    writes: false,
    needs: ['documents'],
    load: async ({ documents }) => {
      const { resolveId } = await import('../documents/resolve-id.ts');
      return async (kind: 'document' | 'chunk', text: string) => resolveId(await documents.read(), kind, text);
    },
  }),

  ...TENDING_OPERATIONS,
} as const;
