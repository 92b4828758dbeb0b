import * as z from 'zod';
import type { DeepReadonly } from './deep-readonly.ts';
import { MetricsSchema } from './metrics.ts';
import { versionOf } from './scalars.ts';

/** The metrics of one run: eval_aggregate.v1. */
export const EvalAggregateSchema = z.strictObject({
  schema_version: versionOf('eval_aggregate'),
  run_id: z.string().regex(/^run_[0-9a-f]+$/),
  metrics: MetricsSchema,
});

/** The metrics of one run. */
export type EvalAggregate = DeepReadonly<z.infer<typeof EvalAggregateSchema>>;
