import * as z from 'zod';
import type { DeepReadonly } from './deep-readonly.ts';
import { versionOf } from './scalars.ts';

/** The files and folders in use: config_paths.v1. */
export const ConfigPathsSchema = z.strictObject({
  schema_version: versionOf('config_paths'),
  config_files: z.array(z.strictObject({ path: z.string(), trusted: z.boolean(), exists: z.boolean() })),
  data_dir: z.string(),
  cache_dir: z.string(),
  state_dir: z.string(),
  workspace_root: z.string(),
});

/** The files and folders in use. */
export type ConfigPaths = DeepReadonly<z.infer<typeof ConfigPathsSchema>>;
