import type { Fields } from './field.ts';
import { FILTERS } from './filters.ts';
import { SEARCH } from './search.ts';

/** A page of the list of documents. */
export const LIST_DOCS = {
  cursor: {
    ...SEARCH.cursor,
    description: 'next_cursor of the page before, with the same filters.',
  },
  limit: {
    kind: 'integer',
    min: 1,
    max: 1000,
    placeholder: 'N',
    summary: 'documents on a page, 1 to 1000 (100)',
    description: 'Documents on a page; default 100.',
  },
  ...FILTERS,
} as const satisfies Fields;
