import * as z from 'zod';
import {
  CountSchema,
  type DeepReadonly,
  FreshnessSchema,
  Hex32Schema,
  MediaSchema,
  SourceTypeSchema,
  TimeSchema,
  TrustSchema,
  versionOf,
} from './scalars.ts';

/** One document in a list: doc_summary.v1. */
export const DocSummarySchema = z.strictObject({
  schema_version: versionOf('doc_summary'),
  doc_id: Hex32Schema,
  doc_path: z.string().describe('path inside its source'),
  source_id: z.string(),
  media: MediaSchema,
  title: z.string(),
  lang: z.string().describe('"und" when unknown'),
  tags: z.array(z.string()),
  trust_level: TrustSchema,
  source_type: SourceTypeSchema,
  byte_len: CountSchema.describe('size of the source file'),
  chunk_count: CountSchema,
  created_at: TimeSchema.describe('of the content'),
  updated_at: TimeSchema.describe('of the content'),
  indexed_at: TimeSchema.describe('when the index was last known to equal the source'),
  stale: z.boolean().describe('not fresh, or indexed too long ago'),
  freshness: FreshnessSchema.describe('how the file compares with what was indexed'),
  parser_version: z.string(),
  chunker_version: z.string(),
  repo: z.string().exactOptional().describe('repository; only on code'),
  code_lang: z.string().exactOptional().describe('programming language; only on code'),
});

/** One document in a list. */
export type DocSummary = DeepReadonly<z.infer<typeof DocSummarySchema>>;

/** One page of documents: doc_list.v1. */
export const DocListSchema = z.strictObject({
  schema_version: versionOf('doc_list'),
  docs: z.array(DocSummarySchema).describe('by source and path'),
  total: CountSchema.describe('documents that match, on all pages'),
  next_cursor: z.string().nullable().describe('opaque; null when nothing follows'),
});

/** One page of documents. */
export type DocList = DeepReadonly<z.infer<typeof DocListSchema>>;

/** A document that was brought in by hand and is removed again: document_removed.v1. */
export const DocumentRemovedSchema = z.strictObject({
  schema_version: versionOf('document_removed'),
  doc_id: Hex32Schema,
  doc_path: z.string(),
  source_id: z.string(),
  removed_file: z.string().nullable().describe('the copy that was removed; null when it was gone already'),
});

/** A document that was brought in by hand and is removed again. */
export type DocumentRemoved = DeepReadonly<z.infer<typeof DocumentRemovedSchema>>;
