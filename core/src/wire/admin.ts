import * as z from 'zod';
import { MEDIA, type Media } from '../domain/kinds.ts';
import { CAPABILITIES, MOVED_PARTS, type Capability } from './names.ts';
import { CountSchema, type DeepReadonly, TimeSchema, wireObject } from './scalars.ts';

/** The models on disk and in the configuration: model_list.v1. */
export const ModelListSchema = wireObject('model_list', {
  models: z.array(
    z.strictObject({
      id: z.string(),
      role: z.enum(['embedding', 'llm', 'rerank', 'nli', 'ocr', 'caption']),
      provider: z.string(),
      present: z.boolean().describe('ready to use'),
      bytes: CountSchema.nullable().describe('size on disk'),
      configured: z.boolean(),
    }),
  ),
});

/** The models on disk and in the configuration. */
export type ModelList = DeepReadonly<z.infer<typeof ModelListSchema>>;

/** One event of a model download: model_pull.v1. `finished` is the last one. */
export const ModelPullSchema = wireObject('model_pull', {
  ts: TimeSchema,
  kind: z.enum(['started', 'progress', 'finished']),
  model: z.string(),
  bytes_done: CountSchema,
  bytes_total: CountSchema.nullable().describe('null when unknown'),
  path: z.string().nullable().describe('where the model lies'),
});

/** One event of a model download. */
export type ModelPull = DeepReadonly<z.infer<typeof ModelPullSchema>>;

const CountsSchema = z.record(z.string(), CountSchema);

/** The state of a knowledge base, on one screen: status.v1. */
export const StatusSchema = wireObject('status', {
  database: z.string().describe('where it lies, or would lie'),
  knowledge_base: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .nullable()
    .describe('its id; null before the first ingest'),
  sources: z.array(
    z.strictObject({
      id: z.string(),
      root: z.string().describe('where its documents were indexed from, or the configured root'),
      configured_root: z.string().nullable().describe('null when it is no longer configured'),
      documents: CountSchema,
      readable: z.boolean(),
    }),
  ),
  documents: CountSchema,
  chunks: CountSchema,
  documents_by: z
    .strictObject({ media: CountsSchema, lang: CountsSchema, code_lang: CountsSchema })
    .exactOptional()
    .describe('documents by medium, language and programming language; absent before the first ingest'),
  last_ingest_at: TimeSchema.nullable(),
  changes: z
    .strictObject({ added: CountSchema, changed: CountSchema, gone: CountSchema })
    .nullable()
    .describe('files that differ from the index by name, size or time; null where there is no index yet'),
  left_out: z
    .strictObject({ files: CountSchema, examples: z.array(z.string()).max(5) })
    .exactOptional()
    .describe('files that are left out for their size or content; absent when there are none'),
  unsupported: z
    .record(z.string(), CountSchema)
    .exactOptional()
    .describe('files that no plugin reads, by extension; absent when there are none'),
  not_taken_in: CountSchema.describe('files that could not be indexed when they were last tried'),
  queue: z
    .strictObject({
      waiting: CountSchema,
      running: CountSchema,
      failed: CountSchema,
      vectors: z.literal(true).exactOptional().describe('whether documents wait for their vectors'),
    })
    .exactOptional()
    .describe('files left to workers; absent where there is no queue, or nothing in it'),
  embedding: z.strictObject({
    provider: z.string(),
    model: z.string().describe('as configured; the model’s own name if a plugin provides it'),
    state: z.enum(['off', 'ready', 'missing']),
    pending: CountSchema.describe('documents that lack vectors of the model'),
  }),
  answers: z.strictObject({
    provider: z.string(),
    model: z.string().describe("as configured, or the plugin's own name for it"),
    endpoint: z.string().describe('as configured; empty where a plugin supplies the model'),
    state: z.enum(['off', 'ready', 'missing']),
  }),
  notes: z.array(z.string()).describe('problems, each with the command that fixes it'),
  next: z.string().describe('the next useful command'),
});

/** The state of a knowledge base. */
export type Status = DeepReadonly<z.infer<typeof StatusSchema>>;

const flags = Object.fromEntries(Object.keys(CAPABILITIES).map((flag) => [flag, z.boolean()])) as Record<
  Capability,
  z.ZodBoolean
>;
const media = Object.fromEntries(MEDIA.map((medium) => [medium, CountSchema])) as Record<Media, typeof CountSchema>;
const LabelsSchema = z.record(z.string(), z.string());

const ModelsSchema = z.strictObject({
  parser_version: LabelsSchema.describe('by medium'),
  chunker_version: LabelsSchema.describe('by medium'),
  embedding_version: z
    .string()
    .nullable()
    .describe('fingerprint of the embedder, or of the plugin’s retriever that replaces it'),
  prompt_template_version: z.string(),
  index_version: z.string(),
  corpus_revision: CountSchema.describe('increases with every change that can alter a search result'),
  llm: z.string(),
  reranker: z.string().nullable(),
  nli: z.string().nullable(),
});

const StatsSchema = z.strictObject({
  doc_count: CountSchema,
  chunk_count: CountSchema,
  asset_count: CountSchema,
  last_ingest_at: TimeSchema.nullable(),
  media_breakdown: z.strictObject(media).describe('documents by medium, every medium present'),
  lang_breakdown: CountsSchema.describe('documents by language'),
  code_lang_breakdown: CountsSchema.describe('documents by programming language'),
  code_lang_chunk_breakdown: CountsSchema.describe('chunks by programming language'),
  repo_breakdown: CountsSchema,
  source_breakdown: CountsSchema,
  index_bytes: z.strictObject({ sqlite: CountSchema, vectors: CountSchema }),
  stale_doc_count: CountSchema,
  embeddings_pending: CountSchema.describe('documents with a missing vector'),
});

/** The capabilities of this kebab and the contents of its index: schema.v1. */
export const SchemaV1Schema = wireObject('schema', {
  kebab_version: z.string(),
  wire: z.strictObject({ schemas: z.array(z.string()).describe('every wire object this kebab speaks') }),
  capabilities: z.object(flags).catchall(z.boolean()).describe('every flag, true or false'),
  models: ModelsSchema,
  stats: StatsSchema,
  plugins: z.array(
    z.strictObject({
      name: z.string(),
      version: z.string(),
      kinds: z.array(z.string()),
      state: z.enum(['active', 'disabled', 'incompatible', 'failed']),
    }),
  ),
});

/** The capabilities of this kebab and the contents of its index. */
export type SchemaV1 = DeepReadonly<z.infer<typeof SchemaV1Schema>>;

const CheckSchema = z.strictObject({
  name: z.string(),
  ok: z.boolean(),
  detail: z.string(),
  optional: z
    .literal(true)
    .exactOptional()
    .describe('only when a part is absent that the configuration does not require; ok is true'),
  hint: z.string().exactOptional().describe('the remedy of a failed check, or how to get an optional part'),
});

/** One check of the doctor. */
export type DoctorCheck = DeepReadonly<z.infer<typeof CheckSchema>>;

/** The state of everything kebab depends on: doctor.v1. */
export const DoctorSchema = wireObject('doctor', {
  ok: z.boolean().describe('whether every check is ok'),
  checks: z.array(CheckSchema),
}).refine((doctor) => doctor.ok === doctor.checks.every((check) => check.ok), {
  path: ['ok'],
  message: 'ok contradicts the checks',
});

/** The state of everything kebab depends on. */
export type Doctor = DeepReadonly<z.infer<typeof DoctorSchema>>;

/** The configuration that starts kebab for agents: mcp_install.v1. */
export const McpInstallSchema = wireObject('mcp_install', {
  clients: z.array(
    z.strictObject({
      name: z.string(),
      file: z.string().describe('absolute path of its configuration'),
      scope: z.enum(['project', 'user']).describe('whether that file is of one project or of the user').optional(),
      format: z.enum(['json', 'toml', 'yaml']),
      entry: z.string().nullable().describe('the content for that file; null where clients are listed or removed'),
      is_written: z.boolean().describe('whether it was written there'),
      is_removed: z.boolean().describe('whether it was removed from there').optional(),
      left_out: z
        .array(z.string())
        .min(1)
        .describe('variables set here but left out of the entry, because they are secrets')
        .optional(),
    }),
  ),
});

/** The configuration that starts kebab for agents. */
export type McpInstall = DeepReadonly<z.infer<typeof McpInstallSchema>>;

/** The state of the service of a knowledge base: service_status.v1. */
export const ServiceStatusSchema = wireObject('service_status', {
  is_running: z.boolean(),
  address: z.string().describe('socket or pipe on which it listens, or would listen'),
  database: z.string(),
  service: z
    .strictObject({
      pid: CountSchema,
      kebab_version: z.string(),
      is_usable: z.boolean().describe('whether it has this version and build'),
      knowledge_base: z.string(),
      started_at: TimeSchema,
      idle_minutes: z.number(),
      clients: CountSchema,
      answered: CountSchema.describe('operations since it was started'),
      running: CountSchema,
      memory_bytes: CountSchema,
    })
    .nullable()
    .describe('null while none runs'),
});

/** The state of the service of a knowledge base. */
export type ServiceStatus = DeepReadonly<z.infer<typeof ServiceStatusSchema>>;

/** The files and folders that `init` created: init_report.v1. */
export const InitReportSchema = wireObject('init_report', {
  created: z.array(z.string()).describe('paths made'),
  kept: z.array(z.string()).describe('paths that were there already'),
  opened: z.string().describe('path of the database'),
  db_schema_version: CountSchema,
  hint: z.string().describe('what to do next'),
});

/** The files and folders that `init` created. */
export type InitReport = DeepReadonly<z.infer<typeof InitReportSchema>>;

/** The data that a reset removed: reset_report.v1. */
export const ResetReportSchema = wireObject('reset_report', {
  scope: z.enum(['all', 'data_only', 'vector_only', 'config_only', 'orphans_only']),
  removed_paths: z.array(z.string()).describe('files and folders removed'),
  embedding_rows_truncated: CountSchema,
  orphans_purged: CountSchema.describe('documents whose file is gone, now ignored, or of an unconfigured source'),
  purged_paths: z.array(z.string()).describe('paths of those documents'),
  left_paths: z
    .array(z.string())
    .optional()
    .describe(
      'files and folders that were kept because nothing proves that kebab created them; absent when there are none',
    ),
});

/** The data that a reset removed. */
export type ResetReport = DeepReadonly<z.infer<typeof ResetReportSchema>>;

/** The findings and actions of a repair: repair_report.v1. */
export const RepairReportSchema = wireObject('repair_report', {
  dry_run: z.boolean().describe('true where nothing was changed'),
  damage: z
    .array(
      z.strictObject({
        table: z.string().nullable().describe('null when it is not in a single table'),
        problem: z.string().describe('one line'),
      }),
    )
    .describe('what was missing or malformed, and what could not be saved; empty when everything was intact'),
  read_again: z.array(z.string()).describe('documents that were read again from their files, by path'),
  incomplete: z
    .array(z.strictObject({ doc_path: z.string(), source_id: z.string(), lost: z.string() }))
    .describe('documents that are lost: their files are gone'),
  failed: z.array(z.string()).describe('documents that could not be read again, by path; the next ingest retries them'),
  set_aside: z.string().nullable().describe('where the damaged database is kept; null when none was replaced'),
});

/** The findings and actions of a repair. */
export type RepairReport = DeepReadonly<z.infer<typeof RepairReportSchema>>;

/** A knowledge base that was moved to another store, or would be: move_report.v1. */
export const MoveReportSchema = wireObject('move_report', {
  dry_run: z.boolean(),
  from: z.string(),
  to: z.string().describe('without any password'),
  knowledge_base: z.string().regex(/^[0-9a-f]{32}$/),
  parts: z.array(
    z.strictObject({
      part: z.enum(MOVED_PARTS),
      count: CountSchema,
      copied: CountSchema.describe('the rest was there already'),
      hash: z
        .string()
        .regex(/^[0-9a-f]{64}$/)
        .describe('of all entries, in any order; equal in both stores'),
    }),
  ),
  hash: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe('of all parts'),
  settings: z
    .array(z.strictObject({ key: z.string(), value: z.string() }))
    .describe('what makes the target the knowledge base, without any password'),
  switched: z.boolean().describe('whether these settings were written'),
  words_pending: z
    .boolean()
    .optional()
    .describe('whether the next ingest of the copy has to index its words on a server'),
});

/** A knowledge base that was moved to another store, or would be. */
export type MoveReport = DeepReadonly<z.infer<typeof MoveReportSchema>>;

/** The vectors copied between two stores: vectors_copied.v1. */
export const VectorsCopiedSchema = wireObject('vectors_copied', {
  from: z.string().describe('id of the source vector store'),
  to: z.string().describe('id of the target vector store'),
  collections: z.array(z.strictObject({ collection: z.string(), vectors: CountSchema })),
});

/** The vectors copied between two stores. */
export type VectorsCopied = DeepReadonly<z.infer<typeof VectorsCopiedSchema>>;
