import { definePlugin } from '@kebab/plugin';
import * as z from 'zod';

/** Adds an interceptor: extends questions. */
export default definePlugin({
  config: z.strictObject({
    terms: z
      .record(z.string().min(1), z.string().min(1))
      .default({ KB: 'knowledge base, the documents that kebab searches' })
      .describe('meanings of terms; the model receives those that occur in a question'),
  }),
  contributes: {
    interceptor: {
      '{{id}}': async ({ config }) => (await import('./interceptor.ts')).createInterceptor(config),
    },
  },
});
