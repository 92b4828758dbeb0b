import * as z from 'zod';
import {
  CountSchema,
  type DeepReadonly,
  FreshnessSchema,
  Hex16Schema,
  PositiveSchema,
  versionOf,
  wireObject,
} from './scalars.ts';

const common = {
  schema_version: versionOf('citation'),
  path: z.string().describe('path inside the source, not encoded'),
  uri: z.string().describe('path with % and # encoded, "#", and the fragment that designates the place'),
  permalink: z
    .string()
    .exactOptional()
    .describe('the uri, "~" and the first digits of content_hash: `cite verify` compares the text with them'),
  content_hash: Hex16Schema.describe('blake3 (first 16 hex digits) of the text the uri designates'),
  source_id: z.string().exactOptional().describe('absent for the source "default"'),
};

/** A place in a source that can be located again and verified: citation.v1, discriminated by `kind`. */
export const CitationSchema = z
  .discriminatedUnion('kind', [
    z.strictObject({
      ...common,
      kind: z.literal('line'),
      start: PositiveSchema.describe('first line, 1-based'),
      end: PositiveSchema.describe('last line, inclusive'),
      section: z.string().nullable().describe('label of the section'),
    }),
    z.strictObject({
      ...common,
      kind: z.literal('page'),
      page: PositiveSchema.describe('1-based'),
      section: z.string().nullable().describe('label of the section'),
    }),
    z.strictObject({
      ...common,
      kind: z.literal('region'),
      x: CountSchema.describe('pixels of the upright image'),
      y: CountSchema,
      w: CountSchema,
      h: CountSchema,
    }),
    z.strictObject({
      ...common,
      kind: z.literal('caption'),
      model: z.string().describe('model that wrote the caption'),
    }),
    z.strictObject({
      ...common,
      kind: z.literal('time'),
      start_ms: CountSchema,
      end_ms: CountSchema,
      speaker: z.string().nullable(),
    }),
    z.strictObject({
      ...common,
      kind: z.literal('anchor'),
      anchor: z.string().describe('the place, as in the fragment of the uri: cell=12, sheet=Q3&row=17-20'),
      label: z.string().describe('the same in readable form: sheet "Q3", row 17–20'),
      section: z.string().nullable().describe('label of the section'),
    }),
    z.strictObject({
      ...common,
      kind: z.literal('code'),
      line_start: PositiveSchema.describe('first line, 1-based'),
      line_end: PositiveSchema.describe('last line, inclusive'),
      symbol: z.string().nullable().describe('qualified name of the unit'),
      lang: z.string().nullable(),
    }),
  ])
  .describe('a place in a source, verifiable with its content_hash');

/** A place in a source that can be located again and verified. */
export type Citation = DeepReadonly<z.infer<typeof CitationSchema>>;

/** The result of verifying a citation: citation_check.v1. */
export const CitationCheckSchema = wireObject('citation_check', {
  uri: z.string().describe('the uri that was checked'),
  status: z
    .enum(['exact', 'moved', 'gone'])
    .describe('exact: the text is still there; moved: found at found_uri; gone: not found'),
  content_hash: Hex16Schema.nullable().describe('hash of the text the uri designates now; null when there is none'),
  found_uri: z.string().nullable().describe('where the text is now, when it moved'),
  freshness: FreshnessSchema.nullable().describe('how the file compares with its indexed version'),
  texts: z
    .strictObject({
      cited: z.string().nullable().describe('the cited text, as the index holds it; null when it no longer does'),
      current: z.string().nullable().describe('the text that the uri designates now; null when there is none'),
    })
    .exactOptional()
    .describe('only on request'),
});

/** The result of verifying a citation. */
export type CitationCheck = DeepReadonly<z.infer<typeof CitationCheckSchema>>;
