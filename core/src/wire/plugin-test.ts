import * as z from 'zod';
import type { DeepReadonly } from './deep-readonly.ts';
import { CountSchema, versionOf } from './scalars.ts';

/** How a plugin did in the suites of its kinds: plugin_test.v1. */
export const PluginTestSchema = z.strictObject({
  schema_version: versionOf('plugin_test'),
  plugin: z.string(),
  passed: CountSchema,
  failed: CountSchema,
  skipped: CountSchema,
  results: z.array(
    z.strictObject({
      suite: z.string(),
      name: z.string(),
      status: z.enum(['pass', 'fail', 'skip']),
      message: z.string().nullable().describe('why it failed or was skipped'),
    }),
  ),
});

/** How a plugin did in the suites of its kinds. */
export type PluginTest = DeepReadonly<z.infer<typeof PluginTestSchema>>;
