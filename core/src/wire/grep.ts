import * as z from 'zod';
import { CountSchema, type DeepReadonly, PositiveSchema, wireObject } from './scalars.ts';

/** The lines of one page that match a pattern, by file: grep_result.v1. */
export const GrepResultSchema = wireObject('grep_result', {
  files: z
    .array(
      z.strictObject({
        path: z.string().describe('with its source, as in a uri'),
        lines: z.array(
          z.strictObject({
            line: PositiveSchema.describe('as `rg -n` numbers it'),
            text: z.string().describe('without its line ending; of a long line the part around the match'),
            column: PositiveSchema.exactOptional().describe(
              'only of a line that is cut: the character at which the match begins, or the part that has none',
            ),
            is_context: z.literal(true).exactOptional().describe('a line beside one that matches'),
          }),
        ),
      }),
    )
    .describe('by source and path; lines ascend'),
  skipped: z
    .array(z.strictObject({ path: z.string(), why: z.string() }))
    .exactOptional()
    .describe('on the last page: files that match, or may, and whose lines are left out'),
  skipped_total: CountSchema.exactOptional().describe('how many there are; beside skipped'),
  is_skipped_partial: z.literal(true).exactOptional().describe('the time did not suffice to name all skipped files'),
  next_cursor: z.string().nullable().describe('opaque; null when nothing follows'),
});

/** The lines of one page that match a pattern, by file. */
export type GrepResult = DeepReadonly<z.infer<typeof GrepResultSchema>>;
