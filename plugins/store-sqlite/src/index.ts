import { definePlugin } from '@kebab/core';
import { storeConfigSchema } from './store-config.ts';

/** Documents, full text and conversations in one SQLite file. All components of one context share a connection. */
export default definePlugin({
  config: storeConfigSchema,
  settings: ({ document_store: { file, readonly, lockFile, embeddingCache } }) => ({
    file,
    readonly,
    lockFile,
    embeddingCache,
  }),
  contributes: {
    document_store: {
      sqlite: async (context) => {
        const { openStore } = await import('./database/open-database.ts');
        const { SqliteDocumentStore } = await import('./documents/sqlite-document-store.ts');
        const { file, lockFile, embeddingCache } = context.config;
        const isShared = file !== ':memory:';
        return new SqliteDocumentStore(await openStore(context), {
          location: file,
          lockFile: isShared ? lockFile : null,
          embeddingCache: isShared && embeddingCache !== '' ? embeddingCache : null,
        });
      },
    },
    lexical_index: {
      'sqlite-fts5': async (context) => {
        const { openStore } = await import('./database/open-database.ts');
        const { SqliteLexicalIndex } = await import('./lexical/sqlite-lexical-index.ts');
        return new SqliteLexicalIndex(await openStore(context));
      },
    },
    session_repo: {
      sqlite: async (context) => {
        const { openStore } = await import('./database/open-database.ts');
        const { sqliteEngine } = await import('./database/engine.ts');
        const { SqlSessionRepo } = await import('@kebab/store-kit');
        return new SqlSessionRepo(sqliteEngine(await openStore(context), context.config.file));
      },
    },
  },
});
