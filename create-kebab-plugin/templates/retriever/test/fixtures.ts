import { analyseQuery } from '@kebab/plugin';
import { storeWith, type PluginFixtures } from '@kebab/plugin/testing';

/** Input of the suite: the retriever, over an in-memory knowledge base with the documents of a case. */
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
