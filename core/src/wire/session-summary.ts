import * as z from 'zod';
import type { DeepReadonly } from './deep-readonly.ts';
import { CountSchema, TimeSchema, versionOf } from './scalars.ts';

/** One conversation in a list: session_summary.v1. */
export const SessionSummarySchema = z.strictObject({
  schema_version: versionOf('session_summary'),
  conversation_id: z.string().describe('its name'),
  title: z.string().nullable().describe('the beginning of its first question'),
  turn_count: CountSchema,
  created_at: TimeSchema,
  updated_at: TimeSchema.describe('of its last turn'),
});

/** One conversation in a list. */
export type SessionSummary = DeepReadonly<z.infer<typeof SessionSummarySchema>>;
