import * as z from 'zod';
import { CountSchema, type DeepReadonly, PositiveSchema, wireObject } from './scalars.ts';

/** Where a name is declared or used: symbol_result.v1. */
export const SymbolResultSchema = wireObject('symbol_result', {
  name: z.string(),
  find: z.enum(['definition', 'references']),
  units: z
    .array(
      z.strictObject({
        doc_path: z.string(),
        source_id: z.string(),
        symbol: z.string().nullable().describe('the unit around the lines; null for code beside units'),
        line_start: PositiveSchema.describe('first line of the unit, with its comments'),
        line_end: PositiveSchema,
        lines: z.array(
          z.strictObject({
            line: PositiveSchema,
            text: z.string().describe('the line; of a very long one the part around the name'),
            defines: z.boolean().describe('whether the line declares the name'),
          }),
        ),
      }),
    )
    .describe('by unit; definitions with the declaring line alone'),
  total: CountSchema.describe('lines on all pages'),
  next_cursor: z.string().nullable(),
  hint: z.string().optional().describe('for agents: what to call where there is none, or which one to read'),
});

/** Where a name is declared or used. */
export type SymbolResult = DeepReadonly<z.infer<typeof SymbolResultSchema>>;

/** The units of a file, or of the files of a folder: outline.v1. */
export const OutlineSchema = wireObject('outline', {
  files: z.array(
    z.strictObject({
      doc_path: z.string(),
      source_id: z.string(),
      total_lines: CountSchema,
      units: z
        .array(
          z.strictObject({
            name: z.string(),
            depth: CountSchema.describe('0 for the outermost; a unit is inside the nearest one above it of less depth'),
            line_start: PositiveSchema.exactOptional().describe('the line that declares it'),
            line_end: PositiveSchema.exactOptional(),
            place: z.string().exactOptional().describe('page or anchor, where the document has no lines'),
            text: z.string().describe('the declaring line, or the heading'),
          }),
        )
        .describe('in the order of the text'),
    }),
  ),
  total: CountSchema.describe('files and units on all pages'),
  next_cursor: z.string().nullable(),
});

/** The units of a file, or of the files of a folder. */
export type Outline = DeepReadonly<z.infer<typeof OutlineSchema>>;
