import * as z from 'zod';
import {
  CountSchema,
  type DeepReadonly,
  ErrorCodeSchema,
  Hex32Schema,
  MediaSchema,
  PositiveSchema,
  TimeSchema,
  versionOf,
  wireObject,
} from './scalars.ts';
import { DegradedSchema } from './search.ts';

/** The possible outcomes for a file. */
const IngestItemKindSchema = z.enum(['new', 'updated', 'unchanged', 'skipped', 'purged', 'error']);
/** The outcome for a file. */
export type IngestItemKind = z.infer<typeof IngestItemKindSchema>;

/** The outcome for one file of an ingest run. */
const IngestItemSchema = z.strictObject({
  kind: IngestItemKindSchema,
  doc_path: z.string().describe('path inside its source'),
  source_id: z.string(),
  doc_id: Hex32Schema.nullable(),
  asset_id: Hex32Schema.nullable(),
  byte_len: CountSchema.nullable(),
  block_count: CountSchema.nullable(),
  chunk_count: CountSchema.nullable(),
  parser_version: z.string().nullable(),
  chunker_version: z.string().nullable(),
  ocr_pages: CountSchema.nullable(),
  warnings: z.array(z.string()).describe('"<kind>: <note>"'),
  error: z.string().nullable(),
  error_code: ErrorCodeSchema.nullable(),
});

/** The outcome for one file of an ingest run. */
export type IngestItem = DeepReadonly<z.infer<typeof IngestItemSchema>>;

const ExamplesSchema = z.array(z.string()).max(5);
const PatternsSchema = z.array(z.string());

/** The results of an ingest run: ingest_report.v1. `scanned` is the sum of the five outcomes. */
export const IngestReportSchema = wireObject('ingest_report', {
  run_id: z.string().regex(/^run_[0-9a-f]+$/),
  scope: z.strictObject({
    root: z.string(),
    include: PatternsSchema,
    exclude: PatternsSchema,
    sources: z.array(z.strictObject({ id: z.string(), root: z.string() })),
  }),
  scanned: CountSchema.describe('new + updated + unchanged + skipped + errors'),
  new: CountSchema,
  updated: CountSchema,
  unchanged: CountSchema,
  skipped: CountSchema,
  errors: CountSchema,
  files: CountSchema.exactOptional().describe(
    'files that were processed: scanned, minus those excluded by location, name or size',
  ),
  queued: CountSchema.exactOptional().describe('files that were left to workers; absent unless that was requested'),
  unread: CountSchema.exactOptional().describe(
    'new and updated documents with pictures of text that no configured engine could read',
  ),
  purged: CountSchema.describe('documents removed because their file is gone; not part of scanned'),
  purge_refused: z
    .array(
      z.strictObject({
        source_id: z.string(),
        vanished: CountSchema,
        indexed: CountSchema,
        reason: z.enum(['root_missing', 'mass_delete']),
      }),
    )
    .describe('sources from which nothing was purged, for safety'),
  moved: z
    .array(z.strictObject({ source_id: z.string(), from: z.string(), to: z.string() }))
    .exactOptional()
    .describe('sources whose folder has moved since the last run; absent when there are none'),
  embeddings_pending: CountSchema.describe('documents that lack a vector after the run'),
  aborted: z.boolean(),
  duration_ms: z.number().min(0),
  degraded: z.array(DegradedSchema).describe('stages that were skipped'),
  skipped_gitignore: CountSchema,
  skipped_kebabignore: CountSchema,
  skipped_builtin_blacklist: CountSchema,
  skipped_excluded: CountSchema.describe('by include and exclude of the configuration'),
  skipped_generated: CountSchema.describe(
    'new and updated files that a program wrote, of which only the beginning is indexed; not part of skipped',
  ),
  skipped_size_exceeded: CountSchema,
  skipped_binary: CountSchema,
  skipped_unfollowed_link: CountSchema.exactOptional().describe(
    'symbolic links that lead out of the source, or nowhere',
  ),
  skipped_secrets: CountSchema.exactOptional().describe('files that appear to contain a secret'),
  skipped_by_extension: z
    .record(z.string(), CountSchema)
    .describe('unsupported types by extension without dot, or "<no-ext>"'),
  skip_examples: z
    .strictObject({
      gitignore: ExamplesSchema,
      kebabignore: ExamplesSchema,
      builtin_blacklist: ExamplesSchema,
      excluded: ExamplesSchema,
      generated: ExamplesSchema,
      size_exceeded: ExamplesSchema,
      binary: ExamplesSchema,
      unfollowed_link: ExamplesSchema.exactOptional(),
      secrets: ExamplesSchema.exactOptional(),
    })
    .describe('at most five paths each'),
  items: z.array(IngestItemSchema).nullable().describe('null with --summary-only'),
}).refine((r) => r.scanned === r.new + r.updated + r.unchanged + r.skipped + r.errors, {
  path: ['scanned'],
  message: 'scanned is not the sum of new, updated, unchanged, skipped and errors',
});

/** The results of an ingest run. */
export type IngestReport = DeepReadonly<z.infer<typeof IngestReportSchema>>;

const event = { schema_version: versionOf('ingest_progress'), ts: TimeSchema };
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

/** One event of an ingest run: ingest_progress.v1, discriminated by `kind`. `completed` or `aborted` is the last one. */
export const IngestProgressSchema = z
  .discriminatedUnion('kind', [
    z.strictObject({ ...event, kind: z.literal('scan_started'), root: z.string() }),
    z.strictObject({
      ...event,
      kind: z.literal('scan_completed'),
      total,
      to_read: CountSchema.exactOptional().describe('how many of these files are new or may have changed'),
    }),
    z.strictObject({
      ...event,
      kind: z.literal('asset_started'),
      idx,
      total,
      path: z.string().describe('path inside its source'),
      media: MediaSchema,
    }),
    z.strictObject({
      ...event,
      kind: z.literal('asset_stage'),
      idx,
      stage: z.enum(['ocr', 'caption', 'embed']),
      model: z.string().nullable(),
      page: PositiveSchema.exactOptional().describe('1-based'),
      done: CountSchema.exactOptional().describe('pictures of the file read so far'),
      total: CountSchema.exactOptional().describe('pictures of the file to be read'),
    }),
    z.strictObject({ ...event, ...embedding, kind: z.literal('embed_batch_started'), n_chunks: CountSchema }),
    z.strictObject({
      ...event,
      ...embedding,
      kind: z.literal('embed_batch_finished'),
      n_chunks: CountSchema,
      ms: z.number().min(0),
    }),
    z.strictObject({
      ...event,
      kind: z.literal('asset_finished'),
      idx,
      total,
      result: IngestItemKindSchema,
      chunks: CountSchema,
      ms: z.number().min(0).exactOptional().describe('how long reading the file took, if over a second'),
    }),
    z.strictObject({ ...event, kind: z.literal('completed'), counts: IngestCountsSchema }),
    z.strictObject({ ...event, kind: z.literal('aborted'), counts: IngestCountsSchema.describe('partial') }),
  ])
  .describe('one event of an ingest run; the last one is completed or aborted');

/** One event of an ingest run. */
export type IngestProgress = DeepReadonly<z.infer<typeof IngestProgressSchema>>;

/** What a worker has done: work_report.v1. */
export const WorkReportSchema = wireObject('work_report', {
  files: CountSchema.describe('files read, or found to be as indexed'),
  failed: CountSchema.describe('files that could not be read'),
  retried: CountSchema.describe('jobs that went back to the queue'),
});

/** What a worker has done. */
export type WorkReport = DeepReadonly<z.infer<typeof WorkReportSchema>>;
