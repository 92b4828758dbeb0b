import type { ResolvedConfig } from '../config/resolved-config.ts';
import type { LexicalIndex } from '../contracts/lexical-index.ts';
import type { Retriever } from '../contracts/retriever.ts';
import type { SessionRepo } from '../contracts/session-repo.ts';
import type { ChunkFilter, VectorStore } from '../contracts/vector-store.ts';
import type { DocumentStore } from '../contracts/document-store.ts';
import type { SearchFilters } from '../domain/query.ts';
import { compileReadRules, type ReadRule } from '../domain/read-rule.ts';
import type { ChatSession } from '../domain/turn.ts';
import type { Ports, StorePort } from '../ports.ts';
import type { IngestReport } from '../wire/index.ts';
import { ReadableStore } from './readable-store.ts';

/** The ports through which documents are read. */
export type ReadingPorts = Pick<Ports, 'documents' | 'lexicalIndex' | 'vectorStores' | 'retrievers' | 'config'>;

/**
 * The ports of someone who may read only what the rules allow. Every use case works on these as on those of a knowledge base that has no
 * other documents: the rules are a filter of every retriever, applied before top-k, and are checked again wherever something is read by id.
 * Statistics of ranking are those of all documents.
 */
export function readablePorts(ports: ReadingPorts, rules: readonly ReadRule[]): ReadingPorts {
  const documents = viewed(ports.documents, (store) => new ReadableStore(store, rules));
  const retrieverOf = memoized((retriever: Retriever) => readableRetriever(retriever, rules));
  const vectorsOf = memoized((vectors: VectorStore) => readableVectors(vectors, { documents, rules }));
  return {
    documents,
    lexicalIndex: viewed(ports.lexicalIndex, (index) => readableIndex(index, rules)),
    vectorStores: {
      names: () => ports.vectorStores.names(),
      get: async (...args) => vectorsOf(await ports.vectorStores.get(...args)),
    },
    retrievers: {
      names: () => ports.retrievers.names(),
      get: async (id) => retrieverOf(await ports.retrievers.get(id)),
      all: async () => (await ports.retrievers.all()).map(retrieverOf),
    },
    config: readableConfig(ports.config, rules),
  };
}

/** A configuration whose sources are those of which something may be read. */
function readableConfig(config: ResolvedConfig, rules: readonly ReadRule[]): ResolvedConfig {
  const isKnown = (id: string): boolean =>
    rules.some(({ source, isAllowed }) => isAllowed && (source === undefined || source === id));
  const { workspace } = config;
  return { ...config, workspace: { ...workspace, sources: workspace.sources.filter(({ id }) => isKnown(id)) } };
}

/** Views a store, each as often as it is opened anew. */
function viewed<T extends object>(port: StorePort<T>, view: (store: T) => T): StorePort<T> {
  const viewOf = memoized(view);
  return { read: async () => viewOf(await port.read()), write: async () => viewOf(await port.write()) };
}

/** The same view of the same component, since use cases recognise components by identity. */
function memoized<T extends object>(view: (component: T) => T): (component: T) => T {
  const views = new WeakMap<T, T>();
  return (component) => {
    const known = views.get(component);
    if (known !== undefined) return known;
    const made = view(component);
    views.set(component, made);
    return made;
  };
}

/** A component with some of its methods replaced. */
export function replacing<T extends object>(component: T, methods: Partial<T>): T {
  return new Proxy(component, {
    get: (target, name) => {
      const own = (methods as Record<PropertyKey, unknown>)[name];
      const member: unknown = own ?? Reflect.get(target, name, target);
      return typeof member === 'function' && own === undefined ? (member.bind(target) as unknown) : member;
    },
  });
}

/** An index whose vocabulary is that of all documents: whoever reads it counts the words that matter. */
function readableIndex(index: LexicalIndex, readable: readonly ReadRule[]): LexicalIndex {
  const within = (filters: SearchFilters): SearchFilters => ({ ...filters, readable });
  return replacing(index, {
    search: (query, filters, ...rest) => index.search(query, within(filters), ...rest),
    admitted: (query, filters, options) => index.admitted(query, within(filters), options),
    termStats: (tokens, filters = {}) => index.termStats(tokens, within(filters)),
    ...(index.named === undefined
      ? {}
      : {
          named: async (phrases, filters, ...rest) => (await index.named?.(phrases, within(filters), ...rest)) ?? [],
        }),
  });
}

function readableRetriever(retriever: Retriever, readable: readonly ReadRule[]): Retriever {
  return replacing(retriever, {
    retrieve: ({ filters, ...request }, options) =>
      retriever.retrieve({ ...request, filters: { ...filters, readable } }, options),
  });
}

interface VectorScope {
  readonly documents: StorePort<DocumentStore>;
  readonly rules: readonly ReadRule[];
}

/** A vector store that searches readable documents only; a set of chunks or documents was chosen among those. */
function readableVectors(vectors: VectorStore, { documents, rules }: VectorScope): VectorStore {
  let all: { readonly revision: number; readonly allow: ChunkFilter } | undefined;
  const allReadable = async (): Promise<ChunkFilter> => {
    const store = await documents.read();
    const revision = await store.corpusRevision();
    if (all?.revision !== revision)
      all = { revision, allow: { kind: 'documents', docIds: await store.documentIds({}) } };
    return all.allow;
  };
  const within = async (allow: ChunkFilter): Promise<ChunkFilter> => {
    if (allow.kind === 'all') return allReadable();
    return allow.kind === 'only' || allow.where === undefined
      ? allow
      : { ...allow, where: { ...allow.where, readable: rules } };
  };
  return replacing(vectors, {
    search: async (collection, query, options) =>
      vectors.search(collection, { ...query, allow: await within(query.allow) }, options),
  });
}

/** The report on a text for someone who may read only what the rules allow: whether the same was there, and what else is, they do not learn. */
export function readableReport(report: IngestReport, rules: readonly ReadRule[]): IngestReport {
  const mayRead = compileReadRules(rules);
  const { items, scope, files = 1, embeddings_pending: pending } = report;
  const masked = {
    ...report,
    scope: { ...scope, root: '', sources: [] },
    embeddings_pending: Math.min(pending, files),
  };
  if (items?.every(({ source_id: sourceId, doc_path: path }) => mayRead(sourceId, path)) === true) return masked;
  return { ...masked, new: report.new + report.updated + report.unchanged, updated: 0, unchanged: 0, items: [] };
}

/** No name of a session contains it. */
const SEPARATOR = '/';

/** The conversations of one caller: their names begin with its id where they are stored, and no others are seen. */
export function ownSessions(port: StorePort<SessionRepo>, owner: string): StorePort<SessionRepo> {
  const prefix = `${encodeURIComponent(owner)}${SEPARATOR}`;
  const stored = (id: string): string => prefix + id;
  const shown = (session: ChatSession): ChatSession => ({
    ...session,
    sessionId: session.sessionId.slice(prefix.length),
  });
  const own = (repo: SessionRepo): SessionRepo => ({
    createSession: (session) => repo.createSession({ ...session, sessionId: stored(session.sessionId) }),
    getSession: async (id) => {
      const session = await repo.getSession(stored(id));
      return session === null ? null : shown(session);
    },
    listSessions: async () =>
      (await repo.listSessions()).filter(({ sessionId }) => sessionId.startsWith(prefix)).map(shown),
    deleteSession: (id) => repo.deleteSession(stored(id)),
    appendTurn: (id, turn, index) => repo.appendTurn(stored(id), turn, index),
    listTurns: (id) => repo.listTurns(stored(id)),
  });
  return { read: async () => own(await port.read()), write: async () => own(await port.write()) };
}
