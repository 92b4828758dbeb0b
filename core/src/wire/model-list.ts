import * as z from 'zod';
import type { DeepReadonly } from './deep-readonly.ts';
import { CountSchema, versionOf } from './scalars.ts';

/** The models on disk and in the configuration: model_list.v1. */
export const ModelListSchema = z.strictObject({
  schema_version: versionOf('model_list'),
  models: z.array(
    z.strictObject({
      id: z.string(),
      role: z.enum(['embedding', 'llm', 'rerank', 'nli', 'ocr', 'caption']),
      provider: z.string(),
      present: z.boolean().describe('ready to use'),
      bytes: CountSchema.nullable().describe('size on disk'),
      configured: z.boolean(),
    }),
  ),
});

/** The models on disk and in the configuration. */
export type ModelList = DeepReadonly<z.infer<typeof ModelListSchema>>;
