import * as z from 'zod';
import type { DeepReadonly } from './deep-readonly.ts';
import { CountSchema, TimeSchema, versionOf } from './scalars.ts';

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
