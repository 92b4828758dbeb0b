import type { ResolvedConfig } from './config/resolved-config.ts';
import type { Clock, Logger } from './contracts/contribution.ts';
import type { Access, ComponentName, Components } from './plugin/components.ts';
import type { Contributions, PluginKind } from './plugin/contributions.ts';

/**
 * A store, opened on first use. Both methods throw what opening throws (`not_indexed` for a missing database, `plugin_failed`); `write`
 * throws `readonly_mode` in read-only mode.
 */
export interface StorePort<T> {
  read(): Promise<T>;
  write(): Promise<T>;
}

/** The contributions of one kind, each created at most once, on first use. */
export interface Catalog<K extends PluginKind> {
  /** Every active contribution, preferred first; listing runs no code. */
  names(): readonly ComponentName[];
  /** Throws `config_invalid` for an id that no active plugin contributes, `plugin_failed` when its factory fails. */
  get(id: string): Promise<Contributions[K]>;
  /** All of them, preferred first; one that fails to load is left out and reported as failed. */
  all(): Promise<readonly Contributions[K][]>;
}

/** Language models, of which a question may request another model than the configured one. */
export interface LanguageModelCatalog extends Catalog<'llm'> {
  /** The provider with this id, opened with the named model. A plugin with a built-in model keeps that. Errors as for `get`. */
  named(id: string, model: string): Promise<Contributions['llm']>;
}

/** Vector stores, opened for reading or writing like stores. */
export interface VectorStoreCatalog {
  names(): readonly ComponentName[];
  get(id: string, access: Access): Promise<Contributions['vector_store']>;
}

/**
 * The dependencies of use cases, by name. A use case declares the few it needs, so that its signature shows what it touches and a test can
 * pass plain values. Nothing is opened before its first use.
 */
export interface Ports {
  readonly documents: StorePort<Contributions['document_store']>;
  readonly lexicalIndex: StorePort<Contributions['lexical_index']>;
  readonly sessions: StorePort<Contributions['session_repo']>;
  readonly vectorStores: VectorStoreCatalog;
  readonly connectors: Catalog<'source'>;
  readonly extractors: Catalog<'extractor'>;
  readonly chunkers: Catalog<'chunker'>;
  readonly embedders: Catalog<'embedder'>;
  readonly retrievers: Catalog<'retriever'>;
  readonly rerankers: Catalog<'reranker'>;
  readonly languageModels: LanguageModelCatalog;
  readonly groundednessCheckers: Catalog<'groundedness'>;
  readonly ocrEngines: Catalog<'ocr'>;
  readonly captioners: Catalog<'captioner'>;
  readonly modelCatalogs: Catalog<'model_catalog'>;
  readonly interceptors: Catalog<'interceptor'>;
  readonly hooks: Catalog<'hook'>;
  readonly config: ResolvedConfig;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The ports that plugins implement. */
export type ComponentPorts = Omit<Ports, 'config' | 'clock' | 'log'>;

/** Creates a port for each kind of contribution. Opens nothing. */
export function componentPorts(components: Components): ComponentPorts {
  const store = <K extends PluginKind>(kind: K): StorePort<Contributions[K]> => ({
    read: () => components.first(kind),
    write: () => components.first(kind, 'write'),
  });
  const catalog = <K extends PluginKind>(kind: K): Catalog<K> => ({
    names: () => components.list(kind),
    get: (id) => components.get(kind, id),
    all: () => components.all(kind),
  });
  return {
    documents: store('document_store'),
    lexicalIndex: store('lexical_index'),
    sessions: store('session_repo'),
    vectorStores: {
      names: () => components.list('vector_store'),
      get: (id, access) => components.get('vector_store', id, access),
    },
    connectors: catalog('source'),
    extractors: catalog('extractor'),
    chunkers: catalog('chunker'),
    embedders: catalog('embedder'),
    retrievers: catalog('retriever'),
    rerankers: catalog('reranker'),
    languageModels: { ...catalog('llm'), named: (id, model) => components.languageModel(id, model) },
    groundednessCheckers: catalog('groundedness'),
    ocrEngines: catalog('ocr'),
    captioners: catalog('captioner'),
    modelCatalogs: catalog('model_catalog'),
    interceptors: catalog('interceptor'),
    hooks: catalog('hook'),
  };
}
