import { definePlugin } from '@kebab/core';
import * as z from 'zod';

/** Lets one more model answer questions. */
export default definePlugin({
  name: '{{name}}',
  version: '0.1.0',
  apiVersion: 1,
  kebab: '^1',
  config: z.strictObject({
    endpoint: z.url().default('http://127.0.0.1:8080').describe('address of the server'),
    model: z.string().min(1).default('default').describe('name of the model on the server'),
    contextTokens: z.int().min(512).default(8192).describe('tokens that the model takes in'),
    timeoutS: z.int().min(1).default(60).describe('seconds until the first token must have come'),
  }),
  permissions: { fs: 'none', net: ['127.0.0.1', 'localhost'], spawn: [] },
  contributes: {
    llm: {
      '{{id}}': async ({ config, fetch }) => {
        if (fetch === undefined) throw new Error('a model on a server needs the network');
        return (await import('./language-model.ts')).createModel(config, fetch);
      },
    },
  },
});
