import { definePlugin } from '@kebab/plugin';
import * as z from 'zod';

/** Brings documents from one more kind of place. */
export default definePlugin({
  config: z.strictObject({
    encoding: z.enum(['utf8', 'base64']).default('utf8').describe('how `content` of a line is written'),
  }),
  contributes: {
    source: {
      '{{id}}': async ({ config }) => new (await import('./feed-connector.ts')).FeedConnector(config),
    },
  },
});
