import * as z from 'zod';
import type { DeepReadonly } from './deep-readonly.ts';
import { IngestItemKindSchema } from './ingest-item.ts';
import { CountSchema, PositiveSchema, TimeSchema, versionOf } from './scalars.ts';
import { MediaSchema } from './vocabulary.ts';

const shared = { schema_version: versionOf('ingest_progress'), ts: TimeSchema };
const idx = PositiveSchema.describe('number of the file, 1-based');
const total = CountSchema.describe('files to process');

const embedding = {
  done: CountSchema.exactOptional().describe('documents embedded whole so far'),
  total: CountSchema.exactOptional().describe('documents to embed in this run'),
};

const IngestCountsSchema = z.strictObject({
  scanned: CountSchema,
  new: CountSchema,
  updated: CountSchema,
  unchanged: CountSchema,
  skipped: CountSchema,
  errors: CountSchema,
  purged: CountSchema,
  chunks_indexed: CountSchema,
  embeddings_indexed: CountSchema,
});

/** The counts at the end of a run; partial when it was aborted. */
export type IngestCounts = DeepReadonly<z.infer<typeof IngestCountsSchema>>;

/** One event of an ingest run: ingest_progress.v1, told apart by `kind`. `completed` or `aborted` is the last one. */
export const IngestProgressSchema = z
  .discriminatedUnion('kind', [
    z.strictObject({ ...shared, kind: z.literal('scan_started'), root: z.string() }),
    z.strictObject({ ...shared, kind: z.literal('scan_completed'), total }),
    z.strictObject({
      ...shared,
      kind: z.literal('asset_started'),
      idx,
      total,
      path: z.string().describe('path inside its source'),
      media: MediaSchema,
    }),
    z.strictObject({
      ...shared,
      kind: z.literal('asset_stage'),
      idx,
      stage: z.enum(['ocr', 'caption', 'embed']),
      model: z.string().nullable(),
      page: PositiveSchema.exactOptional().describe('1-based'),
      done: CountSchema.exactOptional().describe('pictures of the file read so far'),
      total: CountSchema.exactOptional().describe('pictures of the file to be read'),
    }),
    z.strictObject({ ...shared, ...embedding, kind: z.literal('embed_batch_started'), n_chunks: CountSchema }),
    z.strictObject({
      ...shared,
      ...embedding,
      kind: z.literal('embed_batch_finished'),
      n_chunks: CountSchema,
      ms: z.number().min(0),
    }),
    z.strictObject({
      ...shared,
      kind: z.literal('asset_finished'),
      idx,
      total,
      result: IngestItemKindSchema,
      chunks: CountSchema,
      ms: z.number().min(0).exactOptional().describe('what reading the file took, if that was over a second'),
    }),
    z.strictObject({ ...shared, kind: z.literal('completed'), counts: IngestCountsSchema }),
    z.strictObject({ ...shared, kind: z.literal('aborted'), counts: IngestCountsSchema.describe('partial') }),
  ])
  .describe('one event of an ingest run; the last one is completed or aborted');

/** One event of an ingest run. */
export type IngestProgress = DeepReadonly<z.infer<typeof IngestProgressSchema>>;
