import type { Contributions, PluginKind } from '../contributions.ts';

/**
 * Kinds that stand in the place of kebab's own store: they answer at once, thousands of times a search, and hand out transactions.
 * No process can stand between, so that a plugin that contributes one of them runs here, and is trusted like kebab itself.
 */
export const LOCAL_KINDS = ['document_store', 'document_encoder', 'lexical_index', 'session_repo'] as const;

/** The kinds whose contracts cross to another process. */
export type RemoteKind = Exclude<PluginKind, (typeof LOCAL_KINDS)[number]>;

/** How a member of a contribution is had from another process. */
export type Member =
  /** Data, read when the contribution is made and after each call. */
  | 'value'
  /** The same of a method without arguments. */
  | 'said'
  /** A method of a medium that answers at once: asked of every medium when the contribution is made. */
  | 'of-media'
  /** A method that is called there. */
  | 'call'
  /** A method that yields there. */
  | 'stream'
  /** A method that only extraction processes call. */
  | 'elsewhere';

const COMMON = { id: 'value', version: 'value', fingerprint: 'said', health: 'call', close: 'call' } as const;

/** Every member of every contract that crosses. */
export const REMOTE_MEMBERS = {
  source: { ...COMMON, scan: 'stream', read: 'call', stat: 'call' },
  extractor: {
    ...COMMON,
    match: 'value',
    isolation: 'value',
    supports: 'of-media',
    parserVersion: 'of-media',
    chunkerId: 'of-media',
    extract: 'call',
    render: 'call',
  },
  chunker: { ...COMMON, needs: 'value', reads: 'value', chunk: 'elsewhere' },
  embedder: {
    ...COMMON,
    modelId: 'value',
    modelVersion: 'value',
    dimensions: 'value',
    maxInputTokens: 'value',
    languages: 'value',
    relevance: 'value',
    isSlowToLoad: 'value',
    probe: 'call',
    embed: 'call',
  },
  retriever: { ...COMMON, scoreKind: 'value', indexVersion: 'said', retrieve: 'call' },
  reranker: { ...COMMON, rerank: 'call' },
  llm: { ...COMMON, model: 'value', contextTokens: 'value', probe: 'call', generate: 'stream' },
  ocr: { ...COMMON, recognize: 'call', languages: 'call' },
  captioner: { ...COMMON, caption: 'call' },
  groundedness: { ...COMMON, check: 'call' },
  vector_store: {
    ...COMMON,
    ensureCollection: 'call',
    upsert: 'call',
    delete: 'call',
    search: 'call',
    listCollections: 'call',
    storedBytes: 'call',
    count: 'call',
    listIds: 'stream',
    records: 'stream',
    checkIntegrity: 'call',
    advise: 'call',
    repair: 'call',
    dropCollection: 'call',
    activate: 'call',
  },
  model_catalog: { ...COMMON, list: 'call', pull: 'call' },
  interceptor: { onPromptSubmit: 'call' },
  hook: { onPromptSubmit: 'call', onRetrieved: 'call', onAnswer: 'call', onIngested: 'call' },
} as const satisfies { readonly [K in RemoteKind]: { readonly [M in keyof Required<Contributions[K]>]: Member } };

/** Whether everything that a plugin contributes can be had from another process. */
export function isRemote(kinds: readonly PluginKind[]): kinds is readonly RemoteKind[] {
  return kinds.every((kind) => !(LOCAL_KINDS as readonly PluginKind[]).includes(kind));
}

/** The members of a kind by how they are had. */
export function membersOf(kind: RemoteKind): readonly (readonly [name: string, Member])[] {
  return Object.entries(REMOTE_MEMBERS[kind]);
}
