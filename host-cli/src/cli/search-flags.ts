import { FILTERS, flagsOf, SEARCH } from '@kebab/core/app';

/** The flags that are keys of a search request, as a line of a bulk search may hold them too. */
export const SEARCH_FLAGS = flagsOf(SEARCH);

/** The flags of a search in a folder that is read once. */
export const TRY_FLAGS = flagsOf(SEARCH, ['k', 'mode', 'explain']);

/** The filters of a search, in the order of the documentation. */
export const FILTER_FLAGS = flagsOf(FILTERS);
