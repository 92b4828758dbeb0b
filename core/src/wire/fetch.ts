import * as z from 'zod';
import { CitationSchema } from './citation.ts';
import { ChunkInspectionSchema } from './inspect.ts';
import {
  CountSchema,
  type DeepReadonly,
  FreshnessSchema,
  Hex32Schema,
  PositiveSchema,
  TimeSchema,
  versionOf,
  wireObject,
} from './scalars.ts';

const shared = {
  schema_version: versionOf('fetch_result'),
  doc_id: Hex32Schema,
  doc_path: z.string().describe('path inside its source'),
  source_id: z.string(),
  indexed_at: TimeSchema.describe('when the file was last known to match the index'),
  stale: z.boolean().describe('not fresh, or indexed too long ago'),
  freshness: FreshnessSchema.describe('how the file compares with its indexed version'),
  truncated: z.boolean().describe('whether the text was truncated to fit the budget'),
};

/** Of a place that is read in pages. */
const paged = {
  next_cursor: z.string().exactOptional().describe('the cursor that continues the text; only if it was truncated'),
};

const effective_start = PositiveSchema.exactOptional().describe(
  'first line that is at least partly included; only if the page continues another',
);

/** Exact text from the knowledge base: fetch_result.v1, discriminated by `kind`. */
export const FetchResultSchema = z
  .discriminatedUnion('kind', [
    z.strictObject({
      ...shared,
      kind: z.literal('chunk'),
      truncated: z.literal(false),
      chunk: ChunkInspectionSchema,
      context_before: z.array(ChunkInspectionSchema).describe('chunks before it, in order'),
      context_after: z.array(ChunkInspectionSchema).describe('chunks after it, in order'),
    }),
    z.strictObject({
      ...shared,
      ...paged,
      kind: z.literal('doc'),
      text: z.string(),
      effective_start,
      effective_end: CountSchema.exactOptional().describe(
        'last line that is at least partly included, from which to continue reading; only if the text was cut and has lines',
      ),
      total_lines: CountSchema,
    }),
    z.strictObject({
      ...shared,
      ...paged,
      kind: z.literal('span'),
      text: z.string().describe('whole lines, without a final newline'),
      line_start: PositiveSchema.describe('first line asked for'),
      line_end: PositiveSchema.describe('last line asked for'),
      effective_start,
      effective_end: CountSchema.describe('last line really returned'),
      total_lines: CountSchema,
      citation: CitationSchema.nullable().describe('null when text is empty, or has no citable location'),
    }),
    z.strictObject({
      ...shared,
      ...paged,
      kind: z.literal('page'),
      text: z.string(),
      page: PositiveSchema,
      total_pages: CountSchema,
      citation: CitationSchema,
    }),
    z.strictObject({
      ...shared,
      ...paged,
      kind: z.literal('anchor'),
      text: z.string(),
      anchor: z.string().describe('the place, as in the fragment of a uri'),
      citation: CitationSchema,
    }),
  ])
  .describe('exact text of a chunk, a document, a span of lines, a page or an anchored place');

/** Exact text from the knowledge base. */
export type FetchResult = DeepReadonly<z.infer<typeof FetchResultSchema>>;

/** The location of a cited place on this machine: open.v1. */
export const OpenSchema = wireObject('open', {
  path: z.string().describe('absolute path of the file'),
  line: PositiveSchema.nullable().describe('first line of the place; null for media without lines'),
  page: PositiveSchema.nullable(),
  place: z.string().exactOptional().describe('a place in the file that is neither line nor page: sheet "Q3", row 12'),
  uri: z.string(),
  freshness: FreshnessSchema.describe('line and page refer to the file as it was indexed'),
});

/** The location of a cited place on this machine. */
export type Open = DeepReadonly<z.infer<typeof OpenSchema>>;

/** The lines of a place, each with the commit that it comes from: blame.v1. */
export const BlameSchema = wireObject('blame', {
  uri: z.string(),
  doc_path: z.string().describe('path inside its source'),
  source_id: z.string(),
  lines: z
    .array(
      z.strictObject({
        line: PositiveSchema.describe('of the file as it is now'),
        text: z.string(),
        commit: z
          .string()
          .regex(/^[0-9a-f]{40,64}$/)
          .nullable()
          .describe('the one that last changed it; null while it is not committed'),
        author: z.string().nullable(),
        date: TimeSchema.nullable().describe('when the author wrote it'),
        subject: z.string().nullable().describe('the first line of the message of that commit'),
        is_boundary: z
          .literal(true)
          .exactOptional()
          .describe('the history that is there ends with this commit, and the line may be older'),
      }),
    )
    .describe('in order'),
});

/** The lines of a place, each with the commit that it comes from. */
export type Blame = DeepReadonly<z.infer<typeof BlameSchema>>;

/** A picture of a cited place, written to a file: snap.v1. */
export const SnapSchema = wireObject('snap', {
  path: z.string().describe('absolute path of the PNG file'),
  width: PositiveSchema,
  height: PositiveSchema,
  doc_path: z.string(),
  uri: z.string().describe('the place that the picture shows'),
  outlined: z.boolean().describe('whether the cited region is framed in the picture'),
  freshness: FreshnessSchema.describe('whether the picture shows the current file'),
});

/** A picture of a cited place, written to a file. */
export type Snap = DeepReadonly<z.infer<typeof SnapSchema>>;
