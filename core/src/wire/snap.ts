import * as z from 'zod';
import type { DeepReadonly } from './deep-readonly.ts';
import { PositiveSchema, versionOf } from './scalars.ts';
import { FreshnessSchema } from './vocabulary.ts';

/** A picture of a cited place that was written to a file: snap.v1. */
export const SnapSchema = z.strictObject({
  schema_version: versionOf('snap'),
  path: z.string().describe('absolute path of the PNG file'),
  width: PositiveSchema,
  height: PositiveSchema,
  doc_path: z.string(),
  uri: z.string().describe('the place that the picture shows'),
  outlined: z.boolean().describe('whether the cited region is framed in the picture'),
  freshness: FreshnessSchema.describe('the picture shows the file as it is now'),
});

/** A picture of a cited place that was written to a file. */
export type Snap = DeepReadonly<z.infer<typeof SnapSchema>>;
