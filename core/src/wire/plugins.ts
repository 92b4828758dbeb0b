import * as z from 'zod';
import { CountSchema, type DeepReadonly, MediaSchema, wireObject } from './scalars.ts';

/** The permissions that a plugin declares. */
export const PermissionsSchema = z.strictObject({
  fs: z.string().describe('files it reads'),
  net: z.array(z.string()).describe('hosts it reaches'),
  spawn: z.array(z.string()).describe('programs it starts'),
});

/** The plugins and their state: plugin_list.v1. */
export const PluginListSchema = wireObject('plugin_list', {
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

/** The extractor and chunker for a file, and why they were chosen: plugin_explain.v1. */
export const PluginExplainSchema = wireObject('plugin_explain', {
  path: z.string().describe('the file asked about; it need not exist'),
  media: MediaSchema,
  code_lang: z.string().nullable().describe('the language of source code'),
  extractor: ContributionSchema.nullable().describe('the extractor that was chosen; null when there is none'),
  chunker: ContributionSchema.nullable().describe('the chunker for its output; null when no chunker has that id'),
  reason: z.string().describe('why this extractor, or why none'),
  others: z
    .array(ContributionSchema.extend({ reason: z.string().describe('why it is not the one') }))
    .describe('extractors that match the file, in order of preference, and those that do not load'),
});

/** The extractor and chunker for a file, and why they were chosen. */
export type PluginExplain = DeepReadonly<z.infer<typeof PluginExplainSchema>>;

/** The results of the contract suites for a plugin: plugin_test.v1. */
export const PluginTestSchema = wireObject('plugin_test', {
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

/** The results of the contract suites for a plugin. */
export type PluginTest = DeepReadonly<z.infer<typeof PluginTestSchema>>;

/** A newly created plugin project: plugin_new.v1. */
export const PluginNewSchema = wireObject('plugin_new', {
  name: z.string(),
  kind: z.string().describe('what it contributes'),
  created: z.array(z.string()).describe('paths made'),
});

/** A newly created plugin project. */
export type PluginNew = DeepReadonly<z.infer<typeof PluginNewSchema>>;

/** A plugin or an optional part that was installed, updated or removed: plugin_change.v1. */
export const PluginChangeSchema = wireObject('plugin_change', {
  action: z.enum(['installed', 'updated', 'removed', 'unchanged', 'declined']),
  kind: z.enum(['plugin', 'part']).describe('a part belongs to kebab itself'),
  name: z.string(),
  version: z.string().nullable().describe('null for a removed plugin, and for an optional part'),
  previous: z.string().nullable().describe('the version that was installed before'),
  folder: z.string().nullable().describe('where it is installed; null when nothing was installed'),
  bytes: CountSchema.describe('of all files in that folder'),
  config_file: z.string().nullable().describe('the configuration file that was changed'),
  scripts: z.array(z.string()).describe('packages whose install scripts were not run'),
  hint: z.string().nullable().describe('what is left to do'),
});

/** A plugin or an optional part that was installed, updated or removed. */
export type PluginChange = DeepReadonly<z.infer<typeof PluginChangeSchema>>;

/** Plugins in the npm registry: plugin_search.v1. */
export const PluginSearchSchema = wireObject('plugin_search', {
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

/** Plugins in the npm registry. */
export type PluginSearch = DeepReadonly<z.infer<typeof PluginSearchSchema>>;
