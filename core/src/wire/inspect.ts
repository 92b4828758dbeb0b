import * as z from 'zod';
import { PROVENANCE_KINDS } from '../domain/metadata.ts';
import type { SourceSpan } from '../domain/span.ts';
import { CitationSchema } from './citation.ts';
import { UnknownValuesSchema } from './search.ts';
import {
  BlockKindSchema,
  CountSchema,
  type DeepReadonly,
  Hex16Schema,
  Hex32Schema,
  ObjectSchema,
  PositiveSchema,
  SourceTypeSchema,
  TimeSchema,
  TrustSchema,
  wireObject,
  FreshnessSchema,
  MediaSchema,
  ModeSchema,
} from './scalars.ts';

/** One document in a list: doc_summary.v1. */
export const DocSummarySchema = wireObject('doc_summary', {
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
  indexed_at: TimeSchema.describe('when the file was last known to match the index'),
  stale: z.boolean().describe('not fresh, or indexed too long ago'),
  freshness: FreshnessSchema.describe('how the file compares with its indexed version'),
  parser_version: z.string(),
  chunker_version: z.string(),
  repo: z.string().exactOptional().describe('repository; only on code'),
  code_lang: z.string().exactOptional().describe('programming language; only on code'),
});

/** One document in a list. */
export type DocSummary = DeepReadonly<z.infer<typeof DocSummarySchema>>;

/** One page of documents: doc_list.v1. */
export const DocListSchema = wireObject('doc_list', {
  docs: z.array(DocSummarySchema).describe('by source and path'),
  total: CountSchema.describe('documents that match, on all pages'),
  next_cursor: z.string().nullable().describe('opaque; null when nothing follows'),
});

/** One page of documents. */
export type DocList = DeepReadonly<z.infer<typeof DocListSchema>>;

/** The documents of one page by folder, and folders folded where there are very many, for agents: doc_list_brief.v1. */
export const DocListBriefSchema = wireObject('doc_list_brief', {
  folders: z
    .array(
      z.strictObject({
        folder: z.string().describe('with its source, as in a uri; empty for the root'),
        files: z.array(z.string()).describe('names in this folder; the uri of each is folder and name'),
        documents: CountSchema.exactOptional().describe(
          'how many are in a folder whose files are not named; a path_glob of folder and ** lists them',
        ),
      }),
    )
    .describe('by source and path'),
  skipped: z
    .array(z.strictObject({ path: z.string(), why: z.string() }))
    .exactOptional()
    .describe('the first files that are not indexed whole, with the reason; only on the first page without filters'),
  skipped_total: CountSchema.exactOptional().describe('how many there are; beside skipped'),
  unknown: UnknownValuesSchema.exactOptional().describe('values of filters that no document has, when nothing matches'),
  total: CountSchema.describe('documents that match, on all pages'),
  next_cursor: z.string().nullable().describe('opaque; null when nothing follows'),
});

/** The documents of one page by folder, for agents. */
export type DocListBrief = DeepReadonly<z.infer<typeof DocListBriefSchema>>;

/** A file or folder that an ingest leaves out: skipped_file.v1. */
export const SkippedFileSchema = wireObject('skipped_file', {
  source_id: z.string(),
  doc_path: z.string().describe('path inside its source; everything below a folder is left out'),
  reason: z.enum([
    'builtin_blacklist',
    'gitignore',
    'kebabignore',
    'excluded',
    'unfollowed_link',
    'unsupported',
    'size_exceeded',
    'binary',
    'secrets',
    'generated',
    'failed',
    'unreadable',
  ]),
  why: z.string(),
  remedy: z.string().describe('how to change it'),
});

/** A file or folder that an ingest leaves out. */
export type SkippedFile = DeepReadonly<z.infer<typeof SkippedFileSchema>>;

/** A document that was added by hand and has been removed: document_removed.v1. */
export const DocumentRemovedSchema = wireObject('document_removed', {
  doc_id: Hex32Schema,
  doc_path: z.string(),
  source_id: z.string(),
  removed_file: z.string().nullable().describe('the copy that was removed; null when it was already gone'),
});

/** A document that was added by hand and has been removed. */
export type DocumentRemoved = DeepReadonly<z.infer<typeof DocumentRemovedSchema>>;

/** The location of a piece of text in its source; the same shape as in the database and in ids. */
export const SourceSpanSchema = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('line'), start: PositiveSchema, end: PositiveSchema }),
    z.strictObject({ kind: z.literal('byte'), start: CountSchema, end: CountSchema }),
    z.strictObject({
      kind: z.literal('page'),
      page: PositiveSchema,
      char_start: CountSchema.nullable().describe('offset into the text of the page'),
      char_end: CountSchema.nullable().describe('offset into the text of the page'),
    }),
    z.strictObject({ kind: z.literal('region'), x: CountSchema, y: CountSchema, w: CountSchema, h: CountSchema }),
    z.strictObject({ kind: z.literal('time'), start_ms: CountSchema, end_ms: CountSchema }),
    z.strictObject({ kind: z.literal('anchor'), anchor: z.string().describe('cell=12, sheet=Q3&row=17-20') }),
    z.strictObject({
      kind: z.literal('code'),
      line_start: PositiveSchema,
      line_end: PositiveSchema,
      symbol: z.string().nullable(),
      lang: z.string().nullable(),
    }),
  ])
  .describe(
    'location in the source; lines and pages are 1-based and inclusive, offsets half-open',
  ) satisfies z.ZodType<SourceSpan>;

/** One chunk with its text and everything known about it: chunk_inspection.v1. */
export const ChunkInspectionSchema = wireObject('chunk_inspection', {
  chunk_id: Hex32Schema,
  doc_id: Hex32Schema,
  doc_path: z.string().describe('path inside its source'),
  ordinal: CountSchema.describe('position in the document, 0-based'),
  text_start: CountSchema.describe('offset into the text of the document, UTF-16 code units'),
  text_end: CountSchema.describe('end of the slice, exclusive'),
  heading_path: z.array(z.string()).describe('headings above the start of the chunk, outermost first'),
  section_label: z.string().nullable(),
  text: z.string().describe('the exact slice of the document'),
  source_spans: z.array(SourceSpanSchema),
  citation: CitationSchema,
  block_ids: z.array(Hex32Schema).describe('blocks the slice intersects'),
  token_estimate: CountSchema,
  chunker_version: z.string(),
  policy_hash: Hex16Schema.describe('hash of the settings that the chunker reads'),
  embeddings: z.array(
    z.strictObject({
      model: z.string(),
      dimensions: PositiveSchema,
      embedding_id: Hex32Schema,
      status: z.enum(['pending', 'committed']),
    }),
  ),
});

/** One chunk with its text and everything known about it. */
export type ChunkInspection = DeepReadonly<z.infer<typeof ChunkInspectionSchema>>;

/** The metadata of a document. */
const WireMetadataSchema = z.strictObject({
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

/** The metadata of a document, in its wire form. */
export type WireMetadata = DeepReadonly<z.infer<typeof WireMetadataSchema>>;

/** One event in the history of a document. */
const WireProvenanceEventSchema = z.strictObject({
  at: TimeSchema,
  agent: z.string().describe('who did it'),
  kind: z.enum(PROVENANCE_KINDS),
  note: z.string().nullable(),
});

/** One event in the history of a document, in its wire form. */
export type WireProvenanceEvent = DeepReadonly<z.infer<typeof WireProvenanceEventSchema>>;

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
export const DocInspectionSchema = wireObject('doc_inspection', {
  summary: DocSummarySchema,
  metadata: WireMetadataSchema,
  provenance: z.strictObject({ events: z.array(WireProvenanceEventSchema).describe('oldest first') }),
  doc_version: CountSchema.describe('incremented with each new version'),
  blocks: z.array(BlockSchema).describe('in the order of the document'),
  pages: z
    .array(z.strictObject({ page: PositiveSchema, start: CountSchema, end: CountSchema }))
    .describe('ranges of the text by page; empty for media without pages'),
  chunk_ids: z.array(Hex32Schema).describe('by ordinal'),
  links: z
    .array(z.strictObject({ target: z.string().describe('as written, without heading and label'), uri: z.string() }))
    .optional()
    .describe('the documents of the index that it links to; only if there are any'),
});

/** One document with its blocks and its history. */
export type DocInspection = DeepReadonly<z.infer<typeof DocInspectionSchema>>;

/** One block of a document, as an inspection shows it. */
export type InspectedBlock = DocInspection['blocks'][number];

const RelatedLinkSchema = z.strictObject({
  uri: z.string().describe('the other document: with the heading that a link names, or the line that holds the link'),
  doc_id: Hex32Schema,
  title: z.string(),
  line: PositiveSchema.describe('the line of the link in the document that holds it'),
});

/** A link between two documents. */
export type RelatedLink = DeepReadonly<z.infer<typeof RelatedLinkSchema>>;

/** The searches of a user on the command line: search_history.v1. */
export const SearchHistorySchema = wireObject('search_history', {
  saved: z.array(z.strictObject({ name: z.string(), query: z.string(), command: z.string() })),
  searches: z
    .array(z.strictObject({ at: TimeSchema, hits: CountSchema, query: z.string(), command: z.string() }))
    .describe('latest first'),
});

/** The searches of a user on the command line. */
export type SearchHistory = DeepReadonly<z.infer<typeof SearchHistorySchema>>;

/** What is around a document: related.v1. */
export const RelatedSchema = wireObject('related', {
  uri: z.string(),
  doc_id: Hex32Schema,
  title: z.string(),
  links_out: z.array(RelatedLinkSchema).describe('documents that it links to, in the order of its text'),
  links_in: z.array(RelatedLinkSchema).describe('documents that link to it, each once'),
  unresolved: z
    .array(z.strictObject({ target: z.string(), line: PositiveSchema }))
    .describe('links to no document of the index'),
  nearest: z
    .array(
      z.strictObject({
        uri: z.string(),
        doc_id: Hex32Schema,
        section: z.string().nullable(),
        snippet: z.string(),
      }),
    )
    .describe('the best passage of each of the nearest documents, best first'),
  near_copies: z
    .array(z.strictObject({ uri: z.string(), doc_id: Hex32Schema, title: z.string() }))
    .describe('documents with nearly the same text'),
  counts: z
    .strictObject({ links_out: CountSchema, links_in: CountSchema, unresolved: CountSchema, near_copies: CountSchema })
    .describe('how many there are in all; the lists may be cut'),
  mode: ModeSchema.describe('how the nearest were searched'),
});

/** What is around a document. */
export type Related = DeepReadonly<z.infer<typeof RelatedSchema>>;
