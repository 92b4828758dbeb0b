import * as z from 'zod';
import type { DeepReadonly } from './deep-readonly.ts';
import { CountSchema, versionOf } from './scalars.ts';

/** What `init` made: init_report.v1. */
export const InitReportSchema = z.strictObject({
  schema_version: versionOf('init_report'),
  created: z.array(z.string()).describe('paths made'),
  kept: z.array(z.string()).describe('paths that were there already'),
  opened: z.string().describe('path of the database'),
  db_schema_version: CountSchema,
  hint: z.string().describe('what to do next'),
});

/** What `init` made. */
export type InitReport = DeepReadonly<z.infer<typeof InitReportSchema>>;
