import { analyseQuery } from '../analysis/analyse-query.ts';
import { storeWith } from './store-with.ts';
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
