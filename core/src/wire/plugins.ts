import * as z from 'zod';
import { CountSchema, type DeepReadonly, MediaSchema, versionOf } from './scalars.ts';

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

const ContributionSchema = z.strictObject({
  id: z.string(),
  plugin: z.string().describe('the package that contributes it'),
  version: z.string().describe('the version of that package'),
});

/** Which extractor and chunker a file goes through, and why: plugin_explain.v1. */
export const PluginExplainSchema = z.strictObject({
  schema_version: versionOf('plugin_explain'),
  path: z.string().describe('the file asked about; it need not exist'),
  media: MediaSchema,
  code_lang: z.string().nullable().describe('the language of source code'),
  extractor: ContributionSchema.nullable().describe('the one that takes it; null when none does'),
  chunker: ContributionSchema.nullable().describe('the one that cuts it; null when there is none of that id'),
  reason: z.string().describe('why this extractor, or why none'),
  others: z
    .array(ContributionSchema.extend({ reason: z.string().describe('why it is not the one') }))
    .describe('extractors that could take it, in order of preference, and those that do not load'),
});

/** Which extractor and chunker a file goes through, and why. */
export type PluginExplain = DeepReadonly<z.infer<typeof PluginExplainSchema>>;

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

/** A plugin project that was just written: plugin_new.v1. */
export const PluginNewSchema = z.strictObject({
  schema_version: versionOf('plugin_new'),
  name: z.string(),
  kind: z.string().describe('what it contributes'),
  created: z.array(z.string()).describe('paths made'),
});

/** A plugin project that was just written. */
export type PluginNew = DeepReadonly<z.infer<typeof PluginNewSchema>>;

/** What became of a plugin or an optional part: plugin_change.v1. */
export const PluginChangeSchema = z.strictObject({
  schema_version: versionOf('plugin_change'),
  action: z.enum(['installed', 'updated', 'removed', 'unchanged', 'declined']),
  kind: z.enum(['plugin', 'part']).describe('a part belongs to kebab itself'),
  name: z.string(),
  version: z.string().nullable().describe('null for what was removed, and for a part'),
  previous: z.string().nullable().describe('the version that was installed before'),
  folder: z.string().nullable().describe('where it lies; null when nothing was put anywhere'),
  bytes: CountSchema.describe('of all files in that folder'),
  config_file: z.string().nullable().describe('the configuration file that was changed'),
  scripts: z.array(z.string()).describe('packages whose install scripts did not run'),
  hint: z.string().nullable().describe('what is left to do'),
});

/** What became of a plugin or an optional part. */
export type PluginChange = DeepReadonly<z.infer<typeof PluginChangeSchema>>;

/** Plugins that the npm registry knows: plugin_search.v1. */
export const PluginSearchSchema = z.strictObject({
  schema_version: versionOf('plugin_search'),
  query: z.string(),
  plugins: z.array(
    z.strictObject({
      name: z.string(),
      version: z.string(),
      description: z.string(),
      date: z.string().nullable().describe('when that version was published'),
    }),
  ),
});

/** Plugins that the npm registry knows. */
export type PluginSearch = DeepReadonly<z.infer<typeof PluginSearchSchema>>;
