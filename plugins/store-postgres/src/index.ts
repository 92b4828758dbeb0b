import { definePlugin } from '@kebab/core';
import { postgresConfigSchema } from './postgres-config.ts';

/** Documents, words and conversations on a PostgreSQL server. All components of one context share their connections. */
export default definePlugin({
  config: postgresConfigSchema,
  settings: ({ section: { connectTimeoutS, ...server }, document_store: { readonly } }) => ({
    ...server,
    connectTimeoutMs: Number(connectTimeoutS) * 1000,
    readonly,
  }),
  contributes: {
    document_store: {
      postgres: async (context) => {
        const { openStore } = await import('./open-store.ts');
        const { PostgresDocumentStore } = await import('./documents/postgres-document-store.ts');
        const { NO_WORDS } = await import('./words-writer.ts');
        return new PostgresDocumentStore(await openStore(context), NO_WORDS);
      },
    },
    session_repo: {
      postgres: async (context) => {
        const { openStore } = await import('./open-store.ts');
        const { PostgresSessionRepo } = await import('./sessions/postgres-session-repo.ts');
        return new PostgresSessionRepo(await openStore(context));
      },
    },
  },
});
