import * as z from 'zod';
import { CitationSchema } from './citation.ts';
import type { DeepReadonly } from './deep-readonly.ts';
import { TimeSchema, UnitSchema } from './scalars.ts';
import { FreshnessSchema } from './vocabulary.ts';

/** What one marker of an answer stands for. */
export const AnswerCitationSchema = z.strictObject({
  marker: z
    .string()
    .regex(/^\[\d+\]$/)
    .nullable()
    .describe('as it stands in the answer; null for a near candidate of a refusal'),
  citation: CitationSchema,
  score: UnitSchema.describe('relevance'),
  indexed_at: TimeSchema.describe('when the index was last known to equal the source'),
  stale: z.boolean().describe('not fresh, or indexed too long ago'),
  freshness: FreshnessSchema.describe('how the file compares with what was indexed'),
  quotes: z
    .array(z.strictObject({ text: z.string(), verified: z.boolean() }))
    .describe('quotations before the marker, and whether they occur verbatim'),
  verified: z.boolean().nullable().describe('all quotes verbatim; some not; null when no quote was given'),
});

/** What one marker of an answer stands for. */
export type AnswerCitation = DeepReadonly<z.infer<typeof AnswerCitationSchema>>;
