import type { Fields, RequestOf } from '../schema/field.ts';
import { FILTERS } from './filters.ts';
import { COUNTS, NEXT_PAGE } from './search.ts';

/** A search for the lines that match a pattern. */
export const GREP = {
  pattern: {
    kind: 'text',
    synonyms: ['query', 'q', 'text', 'search'],
    required: true,
    placeholder: 'PATTERN',
    doc: 'the text that lines must contain',
    description: 'The text, or with regex the expression.',
  },
  regex: {
    kind: 'bool',
    doc: 'take the pattern as a regular expression',
    description: 'pattern is a regular expression, as of rg.',
  },
  case: {
    kind: 'bool',
    doc: 'distinguish capitals from small letters (default)',
    description: 'false ignores case; default true.',
  },
  word: {
    kind: 'bool',
    doc: 'match whole words only',
    description: 'Matches whole words only.',
  },
  path_glob: FILTERS.path_glob,
  context: {
    kind: 'int',
    synonyms: ['-C', 'context_lines'],
    min: 0,
    max: 100,
    placeholder: 'N',
    doc: 'also this many lines before and after (0)',
    description: 'Lines before and after each; default 0.',
  },
  limit: {
    kind: 'int',
    synonyms: COUNTS,
    min: 1,
    max: 1000,
    placeholder: 'N',
    doc: 'matching lines on a page, 1 to 1000 (200)',
    description: 'Matching lines on a page; default 200.',
  },
  cursor: NEXT_PAGE,
} as const satisfies Fields;

/** A search for lines, as a tool takes it. */
export type GrepRequest = RequestOf<typeof GREP>;
