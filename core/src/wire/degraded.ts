import * as z from 'zod';
import type { DeepReadonly } from './deep-readonly.ts';

/** A stage that was skipped, why, and what to do about it. */
export const DegradedSchema = z
  .strictObject({
    stage: z.enum(['vector', 'retriever', 'rerank', 'freshness', 'ocr', 'caption']).describe('what was skipped'),
    reason: z
      .enum([
        'provider_none',
        'model_not_pulled',
        'model_unreachable',
        'vector_store_unreachable',
        'vectors_missing',
        'vectors_incomplete',
        'language_unsupported',
        'reranker_failed',
        'source_root_missing',
        'plugin_failed',
      ])
      .describe('why it was skipped'),
    hint: z.string().describe('what to do about it'),
  })
  .describe('a stage that was skipped');

/** A stage that was skipped, why, and what to do about it. */
export type Degraded = DeepReadonly<z.infer<typeof DegradedSchema>>;
