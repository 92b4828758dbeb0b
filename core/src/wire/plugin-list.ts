import * as z from 'zod';
import type { DeepReadonly } from './deep-readonly.ts';
import { CountSchema, versionOf } from './scalars.ts';

/** What a plugin declares that it touches. */
export const PermissionsSchema = z.strictObject({
  fs: z.string().describe('files it reads'),
  net: z.array(z.string()).describe('hosts it reaches'),
  spawn: z.array(z.string()).describe('programs it starts'),
});

/** The plugins and their state: plugin_list.v1. */
export const PluginListSchema = z.strictObject({
  schema_version: versionOf('plugin_list'),
  plugins: z.array(
    z.strictObject({
      name: z.string(),
      version: z.string(),
      api_version: CountSchema,
      kinds: z.array(z.string()).describe('what it contributes'),
      permissions: PermissionsSchema,
      state: z.enum(['active', 'disabled', 'incompatible', 'failed', 'untrusted']),
      reason: z.string().nullable().describe('why it is not active'),
      origin: z.enum(['builtin', 'package', 'path']),
    }),
  ),
});

/** The plugins and their state. */
export type PluginList = DeepReadonly<z.infer<typeof PluginListSchema>>;
