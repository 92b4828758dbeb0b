import * as z from 'zod';
import type { DeepReadonly } from './deep-readonly.ts';
import { PositiveSchema, versionOf } from './scalars.ts';

/** Two runs side by side: eval_compare.v1. */
export const EvalCompareSchema = z.strictObject({
  schema_version: versionOf('eval_compare'),
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
