import type { Contributions, PluginKind } from '../plugin/contributions.ts';
import type { Components } from '../plugin/components.ts';
import type { Catalog, Ports, StorePort } from '../ports.ts';

type ComponentPorts = Omit<Ports, 'config' | 'clock' | 'log'>;

/** A factory for the port of each kind of contribution. Making a port opens nothing. */
export function componentPorts(components: Components): {
  readonly [Name in keyof ComponentPorts]: () => ComponentPorts[Name];
} {
  const store =
    <K extends PluginKind>(kind: K): (() => StorePort<Contributions[K]>) =>
    () => ({
      read: () => components.first(kind),
      write: () => components.first(kind, 'write'),
    });
  const catalog =
    <K extends PluginKind>(kind: K): (() => Catalog<K>) =>
    () => ({
      names: () => components.list(kind),
      get: (id) => components.get(kind, id),
      all: () => components.all(kind),
    });
  return {
    documents: store('document_store'),
    lexicalIndex: store('lexical_index'),
    sessions: store('session_repo'),
    vectorStores: () => ({
      names: () => components.list('vector_store'),
      get: (id, access) => components.get('vector_store', id, access),
    }),
    connectors: catalog('source'),
    extractors: catalog('extractor'),
    chunkers: catalog('chunker'),
    embedders: catalog('embedder'),
    retrievers: catalog('retriever'),
    rerankers: catalog('reranker'),
    languageModels: catalog('llm'),
    groundednessCheckers: catalog('groundedness'),
    ocrEngines: catalog('ocr'),
    captioners: catalog('captioner'),
    modelCatalogs: catalog('model_catalog'),
    interceptors: catalog('interceptor'),
    hooks: catalog('hook'),
  };
}
