import { definePlugin } from '@kebab/core';
import { postgresConfigSchema } from './postgres-config.ts';

/** Documents, words and conversations on a PostgreSQL server. All components of one context share their connections. */
export default definePlugin({
  config: postgresConfigSchema,
  settings: ({
    section: { connectTimeoutS, statementTimeoutS, ...server },
    document_store: { readonly, lexicalIndex },
  }) => ({
    ...server,
    connectTimeoutMs: Number(connectTimeoutS) * 1000,
    statementTimeoutMs: Number(statementTimeoutS) * 1000,
    readonly,
    hasWords: lexicalIndex === '' || lexicalIndex === 'postgres',
  }),
  contributes: {
    document_store: {
      postgres: async (context) => {
        const { openStore } = await import('./open-store.ts');
        const { PostgresDocumentStore } = await import('./documents/postgres-document-store.ts');
        const { NO_WORDS, POSTED_WORDS } = await import('./lexical/posted-words.ts');
        return new PostgresDocumentStore(await openStore(context), context.config.hasWords ? POSTED_WORDS : NO_WORDS);
      },
    },
    lexical_index: {
      postgres: async (context) => {
        const { openStore } = await import('./open-store.ts');
        const { postgresLexicalIndex } = await import('./lexical/postgres-word-engine.ts');
        return postgresLexicalIndex(await openStore(context));
      },
    },
    session_repo: {
      postgres: async (context) => {
        const { openStore } = await import('./open-store.ts');
        const { postgresEngine } = await import('./database/engine.ts');
        const { SqlSessionRepo } = await import('@kebab/store-kit');
        return new SqlSessionRepo(postgresEngine(await openStore(context)));
      },
    },
  },
});
