import * as z from 'zod';
import type { DeepReadonly } from './deep-readonly.ts';
import { CountSchema, versionOf } from './scalars.ts';

/** What a reset removed: reset_report.v1. */
export const ResetReportSchema = z.strictObject({
  schema_version: versionOf('reset_report'),
  scope: z.enum(['all', 'data_only', 'vector_only', 'config_only', 'orphans_only']),
  removed_paths: z.array(z.string()).describe('files and folders removed'),
  embedding_rows_truncated: CountSchema,
  orphans_purged: CountSchema.describe('documents whose file is outside the present walk'),
  purged_paths: z.array(z.string()).describe('paths of those documents'),
  left_paths: z
    .array(z.string())
    .optional()
    .describe('files and folders that stay because nothing says that kebab made them; absent when there are none'),
});

/** What a reset removed. */
export type ResetReport = DeepReadonly<z.infer<typeof ResetReportSchema>>;
