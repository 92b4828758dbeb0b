import * as z from 'zod';
import type { DeepReadonly } from './deep-readonly.ts';
import { CountSchema, Hex32Schema } from './scalars.ts';
import { ErrorCodeSchema } from './vocabulary.ts';

/** What can become of a file. */
export const IngestItemKindSchema = z.enum(['new', 'updated', 'unchanged', 'skipped', 'purged', 'error']);
/** What became of a file. */
export type IngestItemKind = z.infer<typeof IngestItemKindSchema>;

/** What became of one file in an ingest run. */
export const IngestItemSchema = z.strictObject({
  kind: IngestItemKindSchema,
  doc_path: z.string().describe('path inside its source'),
  source_id: z.string(),
  doc_id: Hex32Schema.nullable(),
  asset_id: Hex32Schema.nullable(),
  byte_len: CountSchema.nullable(),
  block_count: CountSchema.nullable(),
  chunk_count: CountSchema.nullable(),
  parser_version: z.string().nullable(),
  chunker_version: z.string().nullable(),
  ocr_pages: CountSchema.nullable(),
  warnings: z.array(z.string()).describe('"<kind>: <note>"'),
  error: z.string().nullable(),
  error_code: ErrorCodeSchema.nullable(),
});

/** What became of one file in an ingest run. */
export type IngestItem = DeepReadonly<z.infer<typeof IngestItemSchema>>;
