import * as z from 'zod';
import type { DeepReadonly } from './deep-readonly.ts';
import { ObjectSchema, TimeSchema } from './scalars.ts';
import { SourceTypeSchema, TrustSchema } from './vocabulary.ts';

/** What is known about a document beside its text. */
export const WireMetadataSchema = z.strictObject({
  aliases: z.array(z.string()),
  tags: z.array(z.string()),
  created_at: TimeSchema.describe('of the content'),
  updated_at: TimeSchema.describe('of the content'),
  source_type: SourceTypeSchema,
  trust_level: TrustSchema,
  user_id_alias: z.string().nullable().describe('the id the frontmatter gives'),
  user: ObjectSchema.describe('every other key of the frontmatter, unchanged'),
  repo: z.string().nullable(),
  git_branch: z.string().nullable(),
  git_commit: z
    .string()
    .regex(/^[0-9a-f]{12}$/)
    .nullable()
    .describe('first 12 hex digits'),
  code_lang: z.string().nullable(),
});

/** What is known about a document beside its text, as written on the wire. */
export type WireMetadata = DeepReadonly<z.infer<typeof WireMetadataSchema>>;
