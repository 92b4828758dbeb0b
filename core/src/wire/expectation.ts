import * as z from 'zod';
import type { DeepReadonly } from './deep-readonly.ts';
import { Hex32Schema, PositiveSchema } from './scalars.ts';

/** Where a place that was expected among the hits really stands, and why. */
export const ExpectationSchema = z
  .strictObject({
    target: z.string().describe('the place as asked for'),
    outcome: z
      .enum([
        'on_page',
        'other_page',
        'set_back',
        'beyond_candidates',
        'no_match',
        'not_admitted',
        'excluded_by_filter',
        'no_such_place',
        'not_indexed',
      ])
      .describe('what became of it'),
    reason: z.string().describe('the same as a sentence'),
    hint: z.string().nullable().describe('what to do about it'),
    chunk_id: Hex32Schema.nullable().describe('the best chunk at the place'),
    rank: PositiveSchema.nullable().describe('in the list of hits; null when it is not in it'),
    lexical_rank: PositiveSchema.nullable().describe('null when that side did not return it'),
    vector_rank: PositiveSchema.nullable().describe('null when that side did not return it'),
    has_vector: z
      .boolean()
      .nullable()
      .describe('whether a vector of it is committed; null when vectors were not asked'),
    filters: z.array(z.string()).describe('filters that leave it out'),
  })
  .describe('where an expected place stands, and why');

/** Where a place that was expected among the hits really stands, and why. */
export type Expectation = DeepReadonly<z.infer<typeof ExpectationSchema>>;
