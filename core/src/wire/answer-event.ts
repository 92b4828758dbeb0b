import * as z from 'zod';
import { AnswerSchema } from './answer.ts';
import type { DeepReadonly } from './deep-readonly.ts';
import { TimeSchema, versionOf } from './scalars.ts';
import { SearchHitSchema } from './search-hit.ts';

const shared = { schema_version: versionOf('answer_event'), ts: TimeSchema };

/** One event while an answer is made: answer_event.v1, told apart by `kind`. Exactly one `final` ends the stream. */
export const AnswerEventSchema = z
  .discriminatedUnion('kind', [
    z.strictObject({ ...shared, kind: z.literal('retrieval_done'), hits: z.array(SearchHitSchema) }),
    z.strictObject({ ...shared, kind: z.literal('token'), delta: z.string().describe('text to append') }),
    z.strictObject({ ...shared, kind: z.literal('final'), answer: AnswerSchema.describe('authoritative') }),
  ])
  .describe('one event while an answer is made; the last one is final');

/** One event while an answer is made. */
export type AnswerEvent = DeepReadonly<z.infer<typeof AnswerEventSchema>>;
