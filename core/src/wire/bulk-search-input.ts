import * as z from 'zod';
import type { DeepReadonly } from './deep-readonly.ts';
import { CountSchema } from './scalars.ts';
import { ModeSchema } from './vocabulary.ts';
import { WireFiltersSchema } from './wire-filters.ts';

/** One query as a caller writes it: bulk_search_input.v1. A request, so it carries no `schema_version` and no other key. */
export const BulkSearchInputSchema = z.strictObject({
  query: z.string().regex(/\S/).describe('words; "a phrase" must occur, -word must not'),
  mode: ModeSchema.exactOptional().describe('default hybrid'),
  k: z.int().min(1).max(100).exactOptional().describe('hits a page'),
  max_tokens: CountSchema.exactOptional().describe('budget for the whole response'),
  snippet_chars: z.int().min(60).exactOptional().describe('longest snippet, in characters'),
  cursor: z.string().exactOptional().describe('next_cursor of the page before'),
  explain: z.boolean().exactOptional().describe('adds the trace'),
  expect: z.string().regex(/\S/).exactOptional().describe('citation URI: tells why this place is not among the hits'),
  ...WireFiltersSchema.shape,
});

/** One query as a caller writes it. */
export type BulkSearchInput = DeepReadonly<z.infer<typeof BulkSearchInputSchema>>;
