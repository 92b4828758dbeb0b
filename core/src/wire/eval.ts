import * as z from 'zod';
import { CountSchema, type DeepReadonly, PositiveSchema, TimeSchema, wireObject } from './scalars.ts';

const MetricSchema = z.number().nullable();

/** Metrics by name; one that depends on k has a value per k. Null when no query qualifies. */
const MetricsSchema = z
  .record(z.string(), z.union([MetricSchema, z.record(z.string(), MetricSchema)]))
  .describe('by name; per k where it depends on k; null when no query qualifies');

/** Metrics by name. */
export type Metrics = DeepReadonly<z.infer<typeof MetricsSchema>>;

/** One run of a golden suite: eval_run.v1. */
export const EvalRunSchema = wireObject('eval_run', {
  run_id: z.string().regex(/^run_[0-9a-f]+$/),
  suite: z.string().describe('path of the suite'),
  queries: CountSchema,
  failed: CountSchema.describe('queries that ended in an error'),
  aggregate: MetricsSchema,
  created_at: TimeSchema,
});

/** One run of a golden suite. */
export type EvalRun = DeepReadonly<z.infer<typeof EvalRunSchema>>;

/** The metrics of one run: eval_aggregate.v1. */
export const EvalAggregateSchema = wireObject('eval_aggregate', {
  run_id: z.string().regex(/^run_[0-9a-f]+$/),
  metrics: MetricsSchema,
});

/** The metrics of one run. */
export type EvalAggregate = DeepReadonly<z.infer<typeof EvalAggregateSchema>>;

/** Two runs side by side: eval_compare.v1. */
export const EvalCompareSchema = wireObject('eval_compare', {
  a: z.string().describe('run id'),
  b: z.string().describe('run id'),
  metrics: z
    .record(
      z.string(),
      z.strictObject({
        a: z.number().nullable(),
        b: z.number().nullable(),
        delta: z.number().nullable().describe('b - a'),
        ci95: z.tuple([z.number(), z.number()]).nullable().describe('paired bootstrap interval of delta'),
      }),
    )
    .describe('by name'),
  queries: z.array(
    z.strictObject({
      id: z.string(),
      outcome: z.enum(['win', 'loss', 'draw', 'regression']),
      rank_a: PositiveSchema.nullable().describe('first relevant rank; null when none'),
      rank_b: PositiveSchema.nullable(),
    }),
  ),
});

/** Two runs side by side. */
export type EvalCompare = DeepReadonly<z.infer<typeof EvalCompareSchema>>;
