import * as z from 'zod';
import type { DeepReadonly } from './deep-readonly.ts';
import { Hex32Schema, PositiveSchema } from './scalars.ts';

const RankedSchema = z.strictObject({ chunk_id: Hex32Schema, rank: PositiveSchema, score: z.number() });
const MillisecondsSchema = z.number().min(0);

/** How a result came about; part of a response only when asked for. */
export const TraceSchema = z
  .strictObject({
    lexical: z.array(RankedSchema).describe('what the lexical side returned, best first'),
    vector: z.array(RankedSchema).describe('what the vector side returned, best first'),
    retrievers: z
      .array(z.strictObject({ id: z.string(), entries: z.array(RankedSchema), ms: MillisecondsSchema }))
      .exactOptional()
      .describe('what each retriever of a plugin returned, best first'),
    rrf_inputs: z
      .array(
        z.strictObject({
          chunk_id: Hex32Schema,
          lexical_rank: PositiveSchema.nullable(),
          vector_rank: PositiveSchema.nullable(),
          retriever_ranks: z
            .array(z.strictObject({ id: z.string(), rank: PositiveSchema }))
            .exactOptional()
            .describe('of retrievers of plugins that returned it'),
          fusion_score: z.number(),
        }),
      )
      .describe('what was fused'),
    fusion: z
      .strictObject({
        rrf_k: PositiveSchema,
        weight_lexical: z.number().describe('of this query: the configured weight times what the query makes of it'),
        weight_vector: z.number().describe('of this query: the configured weight times what the query makes of it'),
        reason: z
          .enum(['nothing_to_compare', 'agreement', 'words_missing', 'identifiers'])
          .describe('what the weight of the vector side follows from'),
      })
      .exactOptional()
      .describe('how rrf_inputs were weighed; only where several sides were fused'),
    code: z
      .array(
        z.strictObject({
          chunk_id: Hex32Schema,
          before: PositiveSchema.describe('rank before'),
          rank: PositiveSchema.describe('rank behind it'),
          factor: z.number().describe('on its score'),
        }),
      )
      .exactOptional()
      .describe('source code that was ordered anew'),
    rerank: z.array(RankedSchema).exactOptional().describe('what the reranker made of the beginning of the list'),
    duplicates: z
      .array(z.strictObject({ chunk_id: Hex32Schema, of: Hex32Schema }))
      .exactOptional()
      .describe('passages set behind others because they nearly equal a better one'),
    query: z
      .strictObject({ terms: z.array(z.string()), phrases: z.array(z.string()), excluded: z.array(z.string()) })
      .describe('the analysed query'),
    timing: z.strictObject({
      lexical_ms: MillisecondsSchema,
      vector_ms: MillisecondsSchema,
      fusion_ms: MillisecondsSchema,
      rerank_ms: MillisecondsSchema,
      total_ms: MillisecondsSchema.describe('the whole search'),
    }),
  })
  .describe('how the result came about');

/** How a result came about. */
export type Trace = DeepReadonly<z.infer<typeof TraceSchema>>;

/** One chunk of one retriever's list, as a trace shows it. */
export type TraceEntry = DeepReadonly<z.infer<typeof RankedSchema>>;
