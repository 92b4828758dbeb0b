import { describe, it } from 'vitest';
import { LexicalRetriever } from '../../src/search/sides.ts';
import { declareSuite } from '../../src/testing/contract-suite.ts';
import { retrieverSuite } from '../../src/testing/passage-suites.ts';
import { commit, openStore } from '../kb/open-store.ts';

const suite = retrieverSuite({
  open: async (documents) => {
    const { store, index } = await openStore();
    await commit(store, ...documents);
    const retriever = new LexicalRetriever(index);
    return { retriever, analyse: (text) => retriever.analyse(text) };
  },
});

declareSuite(suite, { describe, it });
