import * as z from 'zod';
import type { SourceSpan } from '../domain/span.ts';
import { CountSchema, PositiveSchema } from './scalars.ts';

/** Where in its source a piece lies; the same shape as in the database and in ids. */
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
    z.strictObject({
      kind: z.literal('code'),
      line_start: PositiveSchema,
      line_end: PositiveSchema,
      symbol: z.string().nullable(),
      lang: z.string().nullable(),
    }),
  ])
  .describe(
    'where in the source it lies; lines and pages are 1-based and inclusive, offsets half-open',
  ) satisfies z.ZodType<SourceSpan>;
