import { describe, it } from 'vitest';
import { declareSuite } from '../../src/testing/contract-suite.ts';
import { lexicalIndexSuite } from '../../src/testing/lexical-index-suite.ts';
import { MemoryLexicalIndex } from '../../src/testing/memory-lexical-index.ts';
import { MemoryStore } from '../../src/testing/memory-store.ts';

const suite = lexicalIndexSuite({
  open: async (makeDocuments) => {
    const store = new MemoryStore();
    const index = new MemoryLexicalIndex(store);
    const writer = await store.openWriter({ waitMs: 0 });
    writer.transaction((tx) => {
      for (const document of makeDocuments((material) => index.analyseChunk(material))) tx.putDocument(document);
    });
    return {
      index,
      writeUncommitted: async (document, during) => {
        const looks: Promise<void>[] = [];
        writer.transaction((tx) => {
          tx.putDocument(document);
          looks.push(during());
        });
        await Promise.all(looks);
      },
    };
  },
});

declareSuite(suite, { describe, it });
