import * as z from 'zod';
import { CountSchema, type DeepReadonly, TimeSchema, versionOf } from './scalars.ts';

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

/** One event while a model is downloaded: model_pull.v1. `finished` is the last one. */
export const ModelPullSchema = z.strictObject({
  schema_version: versionOf('model_pull'),
  ts: TimeSchema,
  kind: z.enum(['started', 'progress', 'finished']),
  model: z.string(),
  bytes_done: CountSchema,
  bytes_total: CountSchema.nullable().describe('null when unknown'),
  path: z.string().nullable().describe('where the model lies'),
});

/** One event while a model is downloaded. */
export type ModelPull = DeepReadonly<z.infer<typeof ModelPullSchema>>;
