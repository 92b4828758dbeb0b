import { analyseQuery } from '../analysis/analyse-query.ts';
import type { DocumentWrite } from '../contracts/document-store.ts';
import { MemoryStore } from './memory-store.ts';
import type { PluginFixtures, SuiteKind } from './suites-by-kind.ts';

type FixtureOf<K extends SuiteKind> = NonNullable<PluginFixtures[K]>[string];

const DEFAULTS: { readonly [K in SuiteKind]?: FixtureOf<K> } = {
  retriever: (make) => ({
    open: async (documents) => {
      const store = await storeWith(documents);
      return { retriever: await make({ documents: async () => store }), analyse: analyseQuery };
    },
  }),
  embedder: (make) => ({ create: make }),
  reranker: (make) => ({ open: async () => ({ reranker: await make() }) }),
  groundedness: (make) => ({ make }),
  interceptor: (make) => ({ make }),
  hook: (make) => ({ make }),
};

/** What the suite of a kind is given when the author of a plugin gives nothing; undefined when it cannot do without. */
export function defaultFixture<K extends SuiteKind>(kind: K): FixtureOf<K> | undefined {
  return DEFAULTS[kind];
}

/** A store in memory that holds these documents: what a retriever under test reads. */
export async function storeWith(documents: readonly DocumentWrite[]): Promise<MemoryStore> {
  const store = new MemoryStore();
  const writer = await store.openWriter({ waitMs: 0 });
  writer.transaction((tx) => {
    for (const document of documents) tx.putDocument(document);
  });
  writer.close();
  return store;
}
