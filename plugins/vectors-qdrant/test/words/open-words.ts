import type { DocumentId } from '@kebab/core';
import type { DocumentWrite, DocumentWriter } from '@kebab/core/store';
import { openLexicalDatabase, type LexicalDatabase } from '../../../store-sqlite/test/lexical/open-lexical-database.ts';
import { QdrantCollections } from '../../src/qdrant-collections.ts';
import type { QdrantConfig } from '../../src/qdrant-config.ts';
import { QdrantConnection } from '../../src/qdrant-connection.ts';
import { QdrantLexicalIndex } from '../../src/words/qdrant-lexical-index.ts';

/** Words on a server, beside a knowledge base with its own index. */
export interface OpenWords {
  readonly database: LexicalDatabase;
  readonly index: QdrantLexicalIndex;
  readonly writer: DocumentWriter;
  /** Commits documents, without writing their words. */
  readonly commit: (documents: readonly DocumentWrite[], during?: () => Promise<void>) => Promise<void>;
  readonly remove: (ids: readonly DocumentId[]) => Promise<void>;
  readonly update: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Opens an empty knowledge base whose words are on a server. */
export async function openWords(url: string, prefix = 'words'): Promise<OpenWords> {
  const config: QdrantConfig = {
    url,
    apiKey: process.env['KEBAB_TEST_QDRANT_API_KEY'] ?? '',
    collectionPrefix: prefix,
    onDisk: false,
    quantization: 'none',
    timeoutMs: 30_000,
  };
  const database = await openLexicalDatabase();
  const { store } = database;
  const connection = await QdrantConnection.open(config);
  const collections = new QdrantCollections(connection, config, () => store.knowledgeBase());
  const index = new QdrantLexicalIndex({ connection, collections, documents: async () => store });
  const writer = await store.openWriter({ waitMs: 0 });
  return {
    database,
    index,
    writer,
    commit: async (documents, during) => {
      const looks: Promise<void>[] = [];
      await writer.transaction((tx) => {
        for (const document of documents) tx.putDocument(document);
        if (during !== undefined) looks.push(during());
      });
      await Promise.all(looks);
    },
    remove: (ids) => writer.transaction((tx) => ids.forEach((id) => tx.deleteDocument(id))),
    update: () => index.update({ documents: store }),
    close: async () => {
      await collections.drop('words', {});
      await writer.close();
      database.close();
    },
  };
}
