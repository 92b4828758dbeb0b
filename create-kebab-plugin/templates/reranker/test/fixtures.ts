import type { PluginFixtures } from '@kebab/plugin/testing';

/** Input of the suite: the reranker, a passage that answers a query, and one that does not. */
export const fixtures: PluginFixtures = {
  reranker: {
    '{{id}}': (make) => ({
      open: async () => ({ reranker: await make() }),
      telling: { query: 'old lighthouse', answer: 'The old lighthouse is white.', other: 'Flour, water and salt.' },
    }),
  },
};
