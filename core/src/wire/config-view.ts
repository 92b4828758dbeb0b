import * as z from 'zod';
import type { DeepReadonly } from './deep-readonly.ts';
import { versionOf } from './scalars.ts';

/** The effective configuration with the origin of each value: config_view.v1. */
export const ConfigViewSchema = z.strictObject({
  schema_version: versionOf('config_view'),
  entries: z.array(
    z.strictObject({
      key: z.string().describe('dotted'),
      value: z.unknown().describe('secrets are "***"'),
      origin: z.enum(['default', 'file', 'env', 'flag']),
      path: z.string().exactOptional().describe('the file the value comes from'),
    }),
  ),
});

/** The effective configuration with the origin of each value. */
export type ConfigView = DeepReadonly<z.infer<typeof ConfigViewSchema>>;
