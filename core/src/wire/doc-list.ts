import * as z from 'zod';
import type { DeepReadonly } from './deep-readonly.ts';
import { DocSummarySchema } from './doc-summary.ts';
import { CountSchema, versionOf } from './scalars.ts';

/** One page of documents: doc_list.v1. */
export const DocListSchema = z.strictObject({
  schema_version: versionOf('doc_list'),
  docs: z.array(DocSummarySchema).describe('by source and path'),
  total: CountSchema.describe('documents that match, on all pages'),
  next_cursor: z.string().nullable().describe('opaque; null when nothing follows'),
});

/** One page of documents. */
export type DocList = DeepReadonly<z.infer<typeof DocListSchema>>;
