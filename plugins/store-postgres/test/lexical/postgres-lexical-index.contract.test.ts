import type { PostedLexicalIndex } from '@kebab/core/store';
import { declareSuite, lexicalIndexSuite } from '@kebab/testing';
import { describe, it } from 'vitest';
import { PostgresDocumentStore } from '../../src/documents/postgres-document-store.ts';
import { postgresLexicalIndex } from '../../src/lexical/postgres-word-engine.ts';
import { POSTED_WORDS } from '../../src/lexical/posted-words.ts';
import { POSTGRES_MISSING, testDatabase } from '../with-postgres.ts';

const suite = lexicalIndexSuite({
  open: async (makeDocuments) => {
    const made = await testDatabase();
    const store = new PostgresDocumentStore(made.database, POSTED_WORDS);
    const index: PostedLexicalIndex = postgresLexicalIndex(made.database);
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
        await made.close();
      },
    };
  },
});

describe.skipIf(POSTGRES_MISSING)('words on PostgreSQL (skipped without a server)', () => {
  declareSuite(suite, { describe, it });
});
