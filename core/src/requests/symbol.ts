import type { Fields, RequestOf } from '../schema/field.ts';
import { FILTERS } from './filters.ts';
import { COUNTS, NEXT_PAGE } from './search.ts';

/** A look-up of a name in source code. */
export const SYMBOL = {
  name: {
    kind: 'text',
    synonyms: ['symbol', 'symbol_name', 'query', 'q', 'pattern', 'identifier'],
    required: true,
    notBlank: true,
    maxToolChars: 500,
    placeholder: 'NAME',
    doc: 'a name, alone or with what it is in: next, Backoff.next, Store::put',
    description: 'A name, alone or within another: next, Backoff.next, Store::put; a test’s title.',
  },
  find: {
    kind: 'enum',
    values: ['definition', 'references'],
    doc: 'the lines that declare the name, or all that use it',
    description: 'definition (default), or references: each line of code with the name.',
  },
  path_glob: FILTERS.path_glob,
  limit: {
    kind: 'int',
    synonyms: COUNTS,
    min: 1,
    max: 1000,
    placeholder: 'N',
    doc: 'lines on a page, 1 to 1000 (200)',
    description: 'Lines on a page; by default as many as fit.',
  },
  cursor: NEXT_PAGE,
} as const satisfies Fields;

/** A look-up of a name, as typed, with the budget of its page. */
export type SymbolRequest = RequestOf<typeof SYMBOL> & { readonly max_tokens?: number | undefined };

/** The last step of a name, which stands in the lines: `next` of `Backoff.next`; the whole of a title, or of the path of a route. */
export function lastStep(name: string): string {
  return /\s|^\//.test(name) ? name : (name.split(/::|->|[./#]/).findLast((step) => step !== '') ?? '');
}
