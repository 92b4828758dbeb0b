import * as z from 'zod';
import { CitationSchema } from './citation.ts';
import type { DeepReadonly } from './deep-readonly.ts';
import { CountSchema, Hex16Schema, Hex32Schema, PositiveSchema, versionOf } from './scalars.ts';
import { SourceSpanSchema } from './source-span.ts';

/** One chunk with its text and everything known of it: chunk_inspection.v1. */
export const ChunkInspectionSchema = z.strictObject({
  schema_version: versionOf('chunk_inspection'),
  chunk_id: Hex32Schema,
  doc_id: Hex32Schema,
  doc_path: z.string().describe('path inside its source'),
  ordinal: CountSchema.describe('position in the document, 0-based'),
  text_start: CountSchema.describe('offset into the text of the document, UTF-16 code units'),
  text_end: CountSchema.describe('end of the slice, exclusive'),
  heading_path: z.array(z.string()).describe('headings in force at the start of the chunk, outermost first'),
  section_label: z.string().nullable(),
  text: z.string().describe('the exact slice of the document'),
  source_spans: z.array(SourceSpanSchema),
  citation: CitationSchema,
  block_ids: z.array(Hex32Schema).describe('blocks the slice intersects'),
  token_estimate: CountSchema,
  chunker_version: z.string(),
  policy_hash: Hex16Schema.describe('hash of the settings the chunker read'),
  embeddings: z.array(
    z.strictObject({
      model: z.string(),
      dimensions: PositiveSchema,
      embedding_id: Hex32Schema,
      status: z.enum(['pending', 'committed']),
    }),
  ),
});

/** One chunk with its text and everything known of it. */
export type ChunkInspection = DeepReadonly<z.infer<typeof ChunkInspectionSchema>>;
