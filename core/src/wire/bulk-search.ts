import * as z from 'zod';
import { ErrorV1Schema } from './errors.ts';
import { CountSchema, type DeepReadonly, ObjectSchema, wireObject } from './scalars.ts';
import { SearchBriefSchema, SearchResponseSchema } from './search.ts';

/** The outcome of one query of a bulk search: bulk_search_item.v1. Exactly one of `response` and `error` is not null. */
export const BulkSearchItemSchema = wireObject('bulk_search_item', {
  query: ObjectSchema.nullable().describe('the input as received; null when it was not JSON'),
  response: SearchResponseSchema.nullable().describe('null when the query failed'),
  error: ErrorV1Schema.nullable().describe('null when the query succeeded'),
}).refine(
  (item) => (item.response === null) !== (item.error === null),
  'exactly one of response and error is not null',
);

/** The outcome of one query of a bulk search. */
export type BulkSearchItem = DeepReadonly<z.infer<typeof BulkSearchItemSchema>>;

/** The outcomes of a bulk search: bulk_search_response.v1. */
export const BulkSearchResponseSchema = wireObject('bulk_search_response', {
  results: z.array(BulkSearchItemSchema).describe('in the order of the queries'),
  summary: z.strictObject({ total: CountSchema, succeeded: CountSchema, failed: CountSchema }),
});

/** The outcomes of a bulk search. */
export type BulkSearchResponse = DeepReadonly<z.infer<typeof BulkSearchResponseSchema>>;

/** The outcomes of a bulk search in the form for agents: bulk_search_brief.v1. */
export const BulkSearchBriefSchema = wireObject('bulk_search_brief', {
  results: z
    .array(
      z.strictObject({
        query: z.string().nullable().describe('the query; null when it is not a string'),
        response: SearchBriefSchema.exactOptional().describe('absent when the query failed'),
        error: ErrorV1Schema.exactOptional().describe('absent when the query succeeded'),
      }),
    )
    .describe('in the order of the queries'),
  summary: z.strictObject({ total: CountSchema, succeeded: CountSchema, failed: CountSchema }),
});

/** The outcomes of a bulk search in the form for agents. */
export type BulkSearchBrief = DeepReadonly<z.infer<typeof BulkSearchBriefSchema>>;
