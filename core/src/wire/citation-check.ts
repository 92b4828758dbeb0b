import * as z from 'zod';
import type { DeepReadonly } from './deep-readonly.ts';
import { Hex16Schema, versionOf } from './scalars.ts';
import { FreshnessSchema } from './vocabulary.ts';

/** What became of a cited place: citation_check.v1. */
export const CitationCheckSchema = z.strictObject({
  schema_version: versionOf('citation_check'),
  uri: z.string().describe('the uri that was checked'),
  status: z
    .enum(['exact', 'moved', 'gone'])
    .describe('exact: the text is still there; moved: found at found_uri; gone: found nowhere'),
  content_hash: Hex16Schema.nullable().describe('hash of the text the uri designates now; null when there is none'),
  found_uri: z.string().nullable().describe('where the text is now, when it moved'),
  freshness: FreshnessSchema.nullable().describe('how the file compares with what was indexed'),
});

/** What became of a cited place. */
export type CitationCheck = DeepReadonly<z.infer<typeof CitationCheckSchema>>;
