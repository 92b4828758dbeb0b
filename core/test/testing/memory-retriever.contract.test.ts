import { describe, it } from 'vitest';
import { LexicalRetriever } from '../../src/search/lexical-side.ts';
import { declareSuite } from '../../src/testing/contract-suite.ts';
import { MemoryLexicalIndex } from '../../src/testing/memory-lexical-index.ts';
import { MemoryStore } from '../../src/testing/memory-store.ts';
import { retrieverSuite } from '../../src/testing/retriever-suite.ts';

const suite = retrieverSuite({
  open: async (documents) => {
    const store = new MemoryStore();
    const writer = await store.openWriter({ waitMs: 0 });
    writer.transaction((tx) => {
      for (const document of documents) tx.putDocument(document);
    });
    const retriever = new LexicalRetriever(new MemoryLexicalIndex(store));
    return { retriever, analyse: (text) => retriever.analyse(text) };
  },
});

declareSuite(suite, { describe, it });
