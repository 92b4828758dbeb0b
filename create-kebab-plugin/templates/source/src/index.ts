import { definePlugin } from '@kebab/core';
import * as z from 'zod';

/** Brings documents from one more kind of place. */
export default definePlugin({
  name: '{{name}}',
  version: '0.1.0',
  apiVersion: 1,
  kebab: '^1',
  config: z.strictObject({
    encoding: z.enum(['utf8', 'base64']).default('utf8').describe('how `content` of a line is written'),
  }),
  permissions: { fs: 'input-only', net: [], spawn: [] },
  contributes: {
    source: {
      '{{id}}': async ({ config }) => new (await import('./feed-connector.ts')).FeedConnector(config),
    },
  },
});
