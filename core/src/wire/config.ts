import * as z from 'zod';
import { MEDIA, type Media } from '../domain/kinds.ts';
import { PermissionsSchema } from './plugins.ts';
import { CountSchema, type DeepReadonly, Hex64Schema, TimeSchema, wireObject } from './scalars.ts';

/** The files and folders in use: config_paths.v1. */
export const ConfigPathsSchema = wireObject('config_paths', {
  config_files: z.array(z.strictObject({ path: z.string(), trusted: z.boolean(), exists: z.boolean() })),
  data_dir: z.string(),
  cache_dir: z.string(),
  state_dir: z.string(),
  workspace_root: z.string(),
  project: z
    .string()
    .exactOptional()
    .describe('folder of the project whose knowledge base is in use; absent for the user’s'),
});

/** The files and folders in use. */
export type ConfigPaths = DeepReadonly<z.infer<typeof ConfigPathsSchema>>;

/** The effective configuration with the origin of each value: config_view.v1. */
export const ConfigViewSchema = wireObject('config_view', {
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

/** One setting, current or after a change: config_entry.v1. */
export const ConfigEntrySchema = wireObject('config_entry', {
  key: z.string().describe('dotted'),
  value: z.unknown().describe('the value in effect; null when unset; secrets are "***"'),
  origin: z.enum(['default', 'file', 'env', 'flag']),
  path: z.string().exactOptional().describe('the file the value comes from'),
  file: z.string().describe('the file that `config set` writes'),
  written: z.unknown().exactOptional().describe('the value in that file; absent when the file does not set it'),
  changed: z.boolean().exactOptional().describe('whether the file was changed; absent when no change was requested'),
  overridden_by: z
    .string()
    .nullable()
    .describe('the environment variable, flag or file that overrides the file; null when none does'),
  needs_trust: z.boolean().describe('whether the value in the file takes effect only once the file is trusted'),
  problem: z.string().exactOptional().describe('why the configuration cannot be used now'),
});

/** One setting, current or after a change. */
export type ConfigEntry = DeepReadonly<z.infer<typeof ConfigEntrySchema>>;

const media = Object.fromEntries(MEDIA.map((medium) => [medium, CountSchema.optional()])) as Record<
  Media,
  z.ZodOptional<typeof CountSchema>
>;

/** A folder that was added as a source: source_added.v1. */
export const SourceAddedSchema = wireObject('source_added', {
  id: z.string(),
  root: z.string().describe('absolute path of the folder'),
  git: z.string().exactOptional().describe('the URL that the folder is a clone of'),
  file: z.string().describe('the configuration file that names it now'),
  holds: z.strictObject({
    files: z
      .strictObject(media)
      .describe('files by medium according to their names, without those excluded or of kinds that are not read'),
    unread: CountSchema.optional().describe('files of kinds that no extractor reads'),
    unread_by_extension: z.record(z.string(), CountSchema).exactOptional().describe('these by extension without dot'),
    is_complete: z.boolean().describe('whether the whole folder was examined'),
  }),
  hint: z.string().describe('the next command'),
});

/** A folder that was added as a source. */
export type SourceAdded = DeepReadonly<z.infer<typeof SourceAddedSchema>>;

/** A source that was removed: source_removed.v1. */
export const SourceRemovedSchema = wireObject('source_removed', {
  id: z.string(),
  root: z
    .string()
    .nullable()
    .describe('the folder it was indexed from, which is kept, unless it was a clone; null when unknown'),
  clone_removed: z.literal(true).exactOptional().describe('its clone was deleted'),
  file: z.string().nullable().describe('the configuration file it was removed from; null when none named it'),
  documents: CountSchema.describe('documents removed from the index'),
  vectors_left: CountSchema.describe('vectors that the next ingest removes'),
  hint: z.string().nullable(),
});

/** A source that was removed. */
export type SourceRemoved = DeepReadonly<z.infer<typeof SourceRemovedSchema>>;

/** Every source with its folder and documents: source_list.v1. */
export const SourceListSchema = wireObject('source_list', {
  sources: z.array(
    z.strictObject({
      id: z.string(),
      root: z.string().describe('the folder it was indexed from, else the configured one'),
      configured_root: z.string().nullable().describe('null when the configuration no longer names it'),
      connector: z.string().describe('fs for folders'),
      git: z.string().exactOptional().describe('the URL that the folder is a clone of'),
      documents: CountSchema,
      last_ingest_at: TimeSchema.nullable().describe('when one of its documents was last known to match its file'),
      state: z
        .enum(['ready', 'not_ingested', 'missing', 'moved', 'not_configured'])
        .describe('missing: the folder does not exist; moved: indexed from another folder than configured'),
    }),
  ),
});

/** Every source with its folder and documents. */
export type SourceList = DeepReadonly<z.infer<typeof SourceListSchema>>;

/** The tokens of a knowledge base, or the one that was created or revoked: token_report.v1. */
export const TokenReportSchema = wireObject('token_report', {
  tokens: z.array(
    z.strictObject({
      name: z.string(),
      scopes: z.array(z.enum(['read', 'ask', 'ingest', 'admin'])),
      principals: z.array(z.string()).describe('user:NAME and group:NAME, in whose name it reads'),
      created_at: TimeSchema,
      expires_at: TimeSchema.nullable().describe('null for a token that does not expire'),
      is_expired: z.boolean(),
    }),
  ),
  token: z.string().exactOptional().describe('the token that was created: it is not stored, and shown only here'),
});

/** The tokens of a knowledge base. */
export type TokenReport = DeepReadonly<z.infer<typeof TokenReportSchema>>;

/** The project files that are trusted, or no longer trusted: trust_report.v1. */
export const TrustReportSchema = wireObject('trust_report', {
  entries: z.array(
    z.strictObject({
      path: z.string().describe('real path of the configuration file'),
      hash: Hex64Schema.describe('blake3 of its content'),
      trusted: z.boolean(),
      asks: z
        .array(
          z.strictObject({
            key: z.string().describe('dotted name of a configuration key'),
            value: z.unknown().describe('as written; secrets are ***'),
            remote: z.boolean().describe('whether it contains a URL of another machine'),
          }),
        )
        .optional()
        .describe('the settings that take effect only because the file is trusted; empty when it is not'),
      plugins: z
        .array(
          z.strictObject({
            name: z.string(),
            version: z.string().nullable(),
            kinds: z.array(z.string()).describe('what it contributes'),
            permissions: PermissionsSchema.nullable().describe(
              'the permissions in its manifest; null when there is none to read',
            ),
            reason: z.string().nullable().describe('why its manifest could not be read'),
          }),
        )
        .optional()
        .describe('the plugins that it enables, read without running them; empty when it is not trusted'),
    }),
  ),
});

/** The project files that are trusted, or no longer trusted. */
export type TrustReport = DeepReadonly<z.infer<typeof TrustReportSchema>>;
