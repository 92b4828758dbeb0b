import * as z from 'zod';
import type { DeepReadonly } from './deep-readonly.ts';
import { DegradedSchema } from './degraded.ts';
import { IngestItemSchema } from './ingest-item.ts';
import { CountSchema, versionOf } from './scalars.ts';

const ExamplesSchema = z.array(z.string()).max(5);
const PatternsSchema = z.array(z.string());

/** What an ingest run did: ingest_report.v1. `scanned` is the sum of the five outcomes. */
export const IngestReportSchema = z
  .strictObject({
    schema_version: versionOf('ingest_report'),
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
      .describe('sources nothing was purged from, for safety'),
    embeddings_pending: CountSchema.describe('documents with a missing vector after the run'),
    aborted: z.boolean(),
    duration_ms: z.number().min(0),
    degraded: z.array(DegradedSchema).describe('stages that were skipped'),
    skipped_gitignore: CountSchema,
    skipped_kebabignore: CountSchema,
    skipped_builtin_blacklist: CountSchema,
    skipped_excluded: CountSchema.describe('by include and exclude of the configuration'),
    skipped_generated: CountSchema,
    skipped_size_exceeded: CountSchema,
    skipped_binary: CountSchema,
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
      })
      .describe('at most five paths each'),
    items: z.array(IngestItemSchema).nullable().describe('null with --summary-only'),
  })
  .refine((r) => r.scanned === r.new + r.updated + r.unchanged + r.skipped + r.errors, {
    path: ['scanned'],
    message: 'scanned is not the sum of new, updated, unchanged, skipped and errors',
  });

/** What an ingest run did. */
export type IngestReport = DeepReadonly<z.infer<typeof IngestReportSchema>>;
