import { declareSuite, lexicalIndexSuite } from '@kebab/testing';
import { describe, it } from 'vitest';
import { openLexicalDatabase } from './open-lexical-database.ts';

const suite = lexicalIndexSuite({
  open: async (makeDocuments) => {
    const database = await openLexicalDatabase();
    const { store, index } = database;
    const writer = await store.openWriter({ waitMs: 0 });
    const documents = makeDocuments((material) => index.analyseChunk(material));
    await writer.transaction((tx) => documents.forEach((document) => tx.putDocument(document)));
    return {
      index,
      writeUncommitted: async (document, during) => {
        const looks: Promise<void>[] = [];
        await writer.transaction((tx) => {
          tx.putDocument(document);
          looks.push(during());
        });
        await Promise.all(looks);
      },
      close: async () => {
        await writer.close();
        database.close();
      },
    };
  },
});

declareSuite(suite, { describe, it });
