import * as z from 'zod';
import type { DeepReadonly } from './deep-readonly.ts';
import { MetricsSchema } from './metrics.ts';
import { CountSchema, TimeSchema, versionOf } from './scalars.ts';

/** One run of a golden suite: eval_run.v1. */
export const EvalRunSchema = z.strictObject({
  schema_version: versionOf('eval_run'),
  run_id: z.string().regex(/^run_[0-9a-f]+$/),
  suite: z.string().describe('path of the suite'),
  queries: CountSchema,
  failed: CountSchema.describe('queries that ended in an error'),
  aggregate: MetricsSchema,
  created_at: TimeSchema,
});

/** One run of a golden suite. */
export type EvalRun = DeepReadonly<z.infer<typeof EvalRunSchema>>;
