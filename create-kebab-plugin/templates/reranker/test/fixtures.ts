import type { PluginFixtures } from '@kebab/plugin/testing';

/** What the suite is given: the reranker, and a passage that answers a query beside one that does not. */
export const fixtures: PluginFixtures = {
  reranker: {
    '{{id}}': (make) => ({
      open: async () => ({ reranker: await make() }),
      telling: { query: 'old lighthouse', answer: 'The old lighthouse is white.', other: 'Flour, water and salt.' },
    }),
  },
};
