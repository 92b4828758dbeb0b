import * as z from 'zod';
import type { DeepReadonly } from './deep-readonly.ts';
import { CountSchema, Hex16Schema, PositiveSchema, versionOf } from './scalars.ts';

const shared = {
  schema_version: versionOf('citation'),
  path: z.string().describe('path inside the source, as it is'),
  uri: z.string().describe('path with % and # encoded, "#", and the fragment that names the place'),
  content_hash: Hex16Schema.describe('blake3 (first 16 hex digits) of the text the uri designates'),
  source_id: z.string().exactOptional().describe('absent for the source "default"'),
};

/** A place in a source that anybody can look up again and check: citation.v1, told apart by `kind`. */
export const CitationSchema = z
  .discriminatedUnion('kind', [
    z.strictObject({
      ...shared,
      kind: z.literal('line'),
      start: PositiveSchema.describe('first line, 1-based'),
      end: PositiveSchema.describe('last line, inclusive'),
      section: z.string().nullable().describe('label of the section'),
    }),
    z.strictObject({
      ...shared,
      kind: z.literal('page'),
      page: PositiveSchema.describe('1-based'),
      section: z.string().nullable().describe('label of the section'),
    }),
    z.strictObject({
      ...shared,
      kind: z.literal('region'),
      x: CountSchema.describe('pixels of the upright image'),
      y: CountSchema,
      w: CountSchema,
      h: CountSchema,
    }),
    z.strictObject({
      ...shared,
      kind: z.literal('caption'),
      model: z.string().describe('model that wrote the caption'),
    }),
    z.strictObject({
      ...shared,
      kind: z.literal('time'),
      start_ms: CountSchema,
      end_ms: CountSchema,
      speaker: z.string().nullable(),
    }),
    z.strictObject({
      ...shared,
      kind: z.literal('code'),
      line_start: PositiveSchema.describe('first line, 1-based'),
      line_end: PositiveSchema.describe('last line, inclusive'),
      symbol: z.string().nullable().describe('qualified name of the unit'),
      lang: z.string().nullable(),
    }),
  ])
  .describe('a place in a source, checkable with its content_hash');

/** A place in a source that anybody can look up again and check. */
export type Citation = DeepReadonly<z.infer<typeof CitationSchema>>;
