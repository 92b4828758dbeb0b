import * as z from 'zod';
import type { DeepReadonly } from './deep-readonly.ts';
import { PositiveSchema, versionOf } from './scalars.ts';
import { FreshnessSchema } from './vocabulary.ts';

/** Where a cited place lies on this machine: open.v1. */
export const OpenSchema = z.strictObject({
  schema_version: versionOf('open'),
  path: z.string().describe('absolute path of the file'),
  line: PositiveSchema.nullable().describe('first line of the place; null where there are no lines'),
  page: PositiveSchema.nullable(),
  uri: z.string(),
  freshness: FreshnessSchema.describe('line and page are those of the file as it was indexed'),
});

/** Where a cited place lies on this machine. */
export type Open = DeepReadonly<z.infer<typeof OpenSchema>>;
