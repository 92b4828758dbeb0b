import { definePlugin } from '@kebab/plugin';
import * as z from 'zod';

/** Adds a source connector: reads documents from another kind of source. */
export default definePlugin({
  config: z.strictObject({
    encoding: z.enum(['utf8', 'base64']).default('utf8').describe('encoding of `content` in a line'),
  }),
  contributes: {
    source: {
      '{{id}}': async ({ config }) => new (await import('./feed-connector.ts')).FeedConnector(config),
    },
  },
});
