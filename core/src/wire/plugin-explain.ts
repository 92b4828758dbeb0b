import * as z from 'zod';
import type { DeepReadonly } from './deep-readonly.ts';
import { versionOf } from './scalars.ts';
import { MediaSchema } from './vocabulary.ts';

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
