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
  contributes: {},
});
