import * as z from 'zod';
import type { DeepReadonly } from './deep-readonly.ts';

const MetricSchema = z.number().nullable();

/** Metrics by name; one that depends on k has a value by k. Null when no query qualifies. */
export const MetricsSchema = z
  .record(z.string(), z.union([MetricSchema, z.record(z.string(), MetricSchema)]))
  .describe('by name; by k where it depends on k; null when no query qualifies');

/** Metrics by name. */
export type Metrics = DeepReadonly<z.infer<typeof MetricsSchema>>;
