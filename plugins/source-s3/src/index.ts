import { definePlugin } from '@kebab/core';
import { s3ConfigSchema } from './s3-config.ts';

/** Files in buckets of S3-compatible storage, as sources. */
export default definePlugin({
  config: s3ConfigSchema,
  settings: ({ section: { timeoutS, ...server } }) => ({ ...server, timeoutMs: Number(timeoutS) * 1000 }),
  contributes: {
    source: {
      s3: async ({ config }) => {
        const { S3Connector } = await import('./s3-connector.ts');
        return new S3Connector(config);
      },
    },
  },
});
