import * as z from 'zod';
import { MEDIA, type Media } from '../domain/media.ts';
import { CAPABILITIES, type Capability } from './capabilities.ts';
import type { DeepReadonly } from './deep-readonly.ts';
import { CountSchema, TimeSchema, versionOf } from './scalars.ts';

const flags = Object.fromEntries(CAPABILITIES.map((flag) => [flag, z.boolean()])) as Record<Capability, z.ZodBoolean>;
const media = Object.fromEntries(MEDIA.map((medium) => [medium, CountSchema])) as Record<Media, typeof CountSchema>;
const CountsSchema = z.record(z.string(), CountSchema);
const LabelsSchema = z.record(z.string(), z.string());

const ModelsSchema = z.strictObject({
  parser_version: LabelsSchema.describe('by medium'),
  chunker_version: LabelsSchema.describe('by medium'),
  embedding_version: z.string().nullable().describe('fingerprint of the embedder'),
  prompt_template_version: z.string(),
  index_version: z.string(),
  corpus_revision: CountSchema.describe('grows with every change that can alter a search result'),
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

/** What this kebab can do and what it holds: schema.v1. */
export const SchemaV1Schema = z.strictObject({
  schema_version: versionOf('schema'),
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

/** What this kebab can do and what it holds. */
export type SchemaV1 = DeepReadonly<z.infer<typeof SchemaV1Schema>>;
