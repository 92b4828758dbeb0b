import * as z from 'zod';
import type { DeepReadonly } from './deep-readonly.ts';
import { Hex64Schema, versionOf } from './scalars.ts';

/** The project files that are trusted, or no longer: trust_report.v1. */
export const TrustReportSchema = z.strictObject({
  schema_version: versionOf('trust_report'),
  entries: z.array(
    z.strictObject({
      path: z.string().describe('real path of the configuration file'),
      hash: Hex64Schema.describe('blake3 of its content'),
      trusted: z.boolean(),
    }),
  ),
});

/** The project files that are trusted, or no longer. */
export type TrustReport = DeepReadonly<z.infer<typeof TrustReportSchema>>;
