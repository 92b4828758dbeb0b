import * as z from 'zod';
import type { DeepReadonly } from './deep-readonly.ts';
import { DocSummarySchema } from './doc-summary.ts';
import { CountSchema, Hex32Schema, ObjectSchema, PositiveSchema, versionOf } from './scalars.ts';
import { SourceSpanSchema } from './source-span.ts';
import { BlockKindSchema } from './vocabulary.ts';
import { WireMetadataSchema } from './wire-metadata.ts';
import { WireProvenanceEventSchema } from './wire-provenance-event.ts';

const BlockSchema = z.strictObject({
  block_id: Hex32Schema,
  kind: BlockKindSchema,
  ordinal: CountSchema.describe('position in the document, 0-based'),
  heading_path: z.array(z.string()),
  source_span: SourceSpanSchema,
  text_start: CountSchema.describe('offset into the text of the document, UTF-16 code units'),
  text_end: CountSchema.describe('exclusive'),
  payload: ObjectSchema.describe('what the kind of block adds'),
});

/** One document with its blocks and its history: doc_inspection.v1. */
export const DocInspectionSchema = z.strictObject({
  schema_version: versionOf('doc_inspection'),
  summary: DocSummarySchema,
  metadata: WireMetadataSchema,
  provenance: z.strictObject({ events: z.array(WireProvenanceEventSchema).describe('oldest first') }),
  doc_version: CountSchema.describe('grows by one with each new version'),
  blocks: z.array(BlockSchema).describe('in the order of the document'),
  pages: z
    .array(z.strictObject({ page: PositiveSchema, start: CountSchema, end: CountSchema }))
    .describe('ranges of the text by page; empty for media without pages'),
  chunk_ids: z.array(Hex32Schema).describe('by ordinal'),
});

/** One document with its blocks and its history. */
export type DocInspection = DeepReadonly<z.infer<typeof DocInspectionSchema>>;

/** One block of a document, as an inspection shows it. */
export type InspectedBlock = DocInspection['blocks'][number];
