import * as z from 'zod';
import { AnswerCitationSchema } from './answer.ts';
import { CountSchema, type DeepReadonly, TimeSchema, versionOf } from './scalars.ts';

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

const SessionTurnSchema = z.strictObject({
  turn_index: CountSchema.describe('0-based'),
  question: z.string(),
  answer: z.string(),
  grounded: z.boolean().describe('false: a refusal'),
  citations: z.array(AnswerCitationSchema).describe('as they were when the question was answered'),
  created_at: TimeSchema,
});

/** One question of a conversation with its answer. */
export type SessionTurn = DeepReadonly<z.infer<typeof SessionTurnSchema>>;

/** A conversation with its turns: session_turns.v1. */
export const SessionTurnsSchema = z.strictObject({
  schema_version: versionOf('session_turns'),
  session: SessionSummarySchema,
  turns: z.array(SessionTurnSchema).describe('in order'),
});

/** A conversation with its turns. */
export type SessionTurns = DeepReadonly<z.infer<typeof SessionTurnsSchema>>;
