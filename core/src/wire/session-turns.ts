import * as z from 'zod';
import { AnswerCitationSchema } from './answer-citation.ts';
import type { DeepReadonly } from './deep-readonly.ts';
import { CountSchema, TimeSchema, versionOf } from './scalars.ts';
import { SessionSummarySchema } from './session-summary.ts';

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
