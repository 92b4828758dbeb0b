import * as z from 'zod';
import type { DeepReadonly } from './deep-readonly.ts';
import { versionOf } from './scalars.ts';

/** A plugin project that was just written: plugin_new.v1. */
export const PluginNewSchema = z.strictObject({
  schema_version: versionOf('plugin_new'),
  name: z.string(),
  kind: z.string().describe('what it contributes'),
  created: z.array(z.string()).describe('paths made'),
});

/** A plugin project that was just written. */
export type PluginNew = DeepReadonly<z.infer<typeof PluginNewSchema>>;
