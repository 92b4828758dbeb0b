import type { Contributions, PluginKind } from '../contributions.ts';

/**
 * Kinds that replace kebab's own store: they answer synchronously, thousands of times per search, and hand out transactions. They cannot
 * run in another process, so a plugin that contributes one of them runs in this one, and is trusted like kebab itself.
 */
export const LOCAL_KINDS = ['document_store', 'lexical_index', 'session_repo'] as const;

/** The kinds that can run in another process. */
export type RemoteKind = Exclude<PluginKind, (typeof LOCAL_KINDS)[number]>;

/** How a member of a contribution is accessed from another process. */
export type Member =
  /** Data, read when the contribution is created and after each call. */
  | 'value'
  /** Like `value`, for a method without arguments. */
  | 'said'
  /** A synchronous method of a medium: called for every medium when the contribution is created. */
  | 'of-media'
  /** A method that is called remotely. */
  | 'call'
  /** A method that yields items remotely. */
  | 'stream'
  /** A method that only extraction processes call. */
  | 'elsewhere';

const COMMON = { id: 'value', version: 'value', fingerprint: 'said', health: 'call', close: 'call' } as const;

/** Every member of every contract that can run in another process. */
export const REMOTE_MEMBERS = {
  source: { ...COMMON, scan: 'stream', read: 'call', stat: 'call' },
  extractor: {
    ...COMMON,
    match: 'value',
    isolation: 'value',
    spans: 'value',
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
  llm: { ...COMMON, model: 'value', contextTokens: 'value', structured: 'value', probe: 'call', generate: 'stream' },
  ocr: { ...COMMON, recognize: 'call', languages: 'call' },
  captioner: { ...COMMON, caption: 'call' },
  groundedness: { ...COMMON, check: 'call', judge: 'call' },
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

/** Whether all contributions of a plugin can run in another process. */
export function isRemote(kinds: readonly PluginKind[]): kinds is readonly RemoteKind[] {
  return kinds.every((kind) => !(LOCAL_KINDS as readonly PluginKind[]).includes(kind));
}

/** The members of a kind, with how each is accessed. */
export function membersOf(kind: RemoteKind): readonly (readonly [name: string, Member])[] {
  return Object.entries(REMOTE_MEMBERS[kind]);
}
