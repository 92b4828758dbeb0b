import * as z from 'zod';
import type { DeepReadonly } from './deep-readonly.ts';
import { DegradedSchema } from './degraded.ts';
import { ExpectationSchema } from './expectation.ts';
import { versionOf } from './scalars.ts';
import { SearchHitSchema } from './search-hit.ts';
import { TraceSchema } from './trace.ts';
import { ModeSchema } from './vocabulary.ts';

/** One page of hits: search_response.v1. */
export const SearchResponseSchema = z.strictObject({
  schema_version: versionOf('search_response'),
  hits: z.array(SearchHitSchema).describe('best first'),
  next_cursor: z.string().nullable().describe('opaque; null when nothing follows'),
  truncated: z.boolean().describe('whether snippets or hits were cut to fit the budget'),
  mode: ModeSchema.describe('the mode that really ran'),
  degraded: z.array(DegradedSchema).describe('stages that were skipped'),
  trace: TraceSchema.exactOptional().describe('only with explain'),
  expect: ExpectationSchema.exactOptional().describe('only when a place was expected'),
});

/** One page of hits. */
export type SearchResponse = DeepReadonly<z.infer<typeof SearchResponseSchema>>;
