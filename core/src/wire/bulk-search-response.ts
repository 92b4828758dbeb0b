import * as z from 'zod';
import { BulkSearchItemSchema } from './bulk-search-item.ts';
import type { DeepReadonly } from './deep-readonly.ts';
import { CountSchema, versionOf } from './scalars.ts';

/** The outcomes of several queries: bulk_search_response.v1. */
export const BulkSearchResponseSchema = z.strictObject({
  schema_version: versionOf('bulk_search_response'),
  results: z.array(BulkSearchItemSchema).describe('in the order of the queries'),
  summary: z.strictObject({ total: CountSchema, succeeded: CountSchema, failed: CountSchema }),
});

/** The outcomes of several queries. */
export type BulkSearchResponse = DeepReadonly<z.infer<typeof BulkSearchResponseSchema>>;
