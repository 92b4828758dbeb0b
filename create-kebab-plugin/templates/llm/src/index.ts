import { definePlugin } from '@kebab/plugin';
import * as z from 'zod';

/** Adds a language model: answers questions. */
export default definePlugin({
  config: z.strictObject({
    endpoint: z.url().default('http://127.0.0.1:8080').describe('address of the server'),
    model: z.string().min(1).default('default').describe('name of the model on the server'),
    contextTokens: z.int().min(512).default(8192).describe('context window of the model in tokens'),
    timeoutS: z.int().min(1).default(60).describe('seconds until the first token must arrive'),
  }),
  contributes: {
    llm: {
      '{{id}}': async ({ config, fetch }) => {
        if (fetch === undefined) throw new Error('a model on a server needs the network');
        return (await import('./language-model.ts')).createModel(config, fetch);
      },
    },
  },
});
