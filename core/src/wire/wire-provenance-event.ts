import * as z from 'zod';
import { PROVENANCE_KINDS } from '../domain/metadata.ts';
import type { DeepReadonly } from './deep-readonly.ts';
import { TimeSchema } from './scalars.ts';

/** One thing that happened to a document. */
export const WireProvenanceEventSchema = z.strictObject({
  at: TimeSchema,
  agent: z.string().describe('who did it'),
  kind: z.enum(PROVENANCE_KINDS),
  note: z.string().nullable(),
});

/** One thing that happened to a document, as written on the wire. */
export type WireProvenanceEvent = DeepReadonly<z.infer<typeof WireProvenanceEventSchema>>;
