import { analyseQuery } from '@kebab/plugin';
import { storeWith, type PluginFixtures } from '@kebab/plugin/testing';

/** What the suite is given: the retriever over a knowledge base in memory that holds the documents of a case. */
export const fixtures: PluginFixtures = {
  retriever: {
    '{{id}}': (make) => ({
      open: async (documents) => {
        const store = await storeWith(documents);
        return { retriever: await make({ documents: async () => store }), analyse: analyseQuery };
      },
    }),
  },
};
