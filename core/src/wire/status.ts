import * as z from 'zod';
import { CountSchema, type DeepReadonly, TimeSchema, versionOf } from './scalars.ts';

/** How a knowledge base stands, on one screen: status.v1. */
export const StatusSchema = z.strictObject({
  schema_version: versionOf('status'),
  database: z.string().describe('where it lies, or would lie'),
  knowledge_base: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .nullable()
    .describe('its id; null before the first ingest'),
  sources: z.array(
    z.strictObject({
      id: z.string(),
      root: z.string().describe('where its documents were indexed from, or the configured root'),
      configured_root: z.string().nullable().describe('null when it is configured no more'),
      documents: CountSchema,
      readable: z.boolean(),
    }),
  ),
  documents: CountSchema,
  chunks: CountSchema,
  last_ingest_at: TimeSchema.nullable(),
  changes: z
    .strictObject({ added: CountSchema, changed: CountSchema, gone: CountSchema })
    .nullable()
    .describe('files that differ from the index by name, size or time; null where there is no index yet'),
  not_taken_in: CountSchema.describe('files that failed when they were last tried'),
  embedding: z.strictObject({
    provider: z.string(),
    model: z.string(),
    state: z.enum(['off', 'ready', 'missing']),
    pending: CountSchema.describe('documents without all vectors of the model'),
  }),
  answers: z.strictObject({
    provider: z.string(),
    model: z.string(),
    endpoint: z.string(),
    state: z.enum(['off', 'ready', 'missing']),
  }),
  notes: z.array(z.string()).describe('what is amiss, each with the command that settles it'),
  next: z.string().describe('the next useful command'),
});

/** How a knowledge base stands. */
export type Status = DeepReadonly<z.infer<typeof StatusSchema>>;
