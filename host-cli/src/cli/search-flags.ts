import type { FlagSpec } from './command-spec.ts';
import { FILTER_FLAGS } from './filter-flags.ts';

/** How many hits. */
export const K: FlagSpec = { name: 'k', short: 'k', kind: 'integer', value: 'N', summary: 'how many hits, 1 to 100' };

/** How hits are found. */
export const MODE: FlagSpec = {
  name: 'mode',
  kind: 'string',
  value: 'MODE',
  choices: ['lexical', 'vector', 'hybrid'],
  summary: 'lexical, vector or hybrid (default)',
};

/** The budget of the output. */
export const MAX_TOKENS: FlagSpec = {
  name: 'max-tokens',
  kind: 'integer',
  value: 'N',
  summary: 'budget of the output in tokens of four characters',
};

/** `--explain` of a search. */
export const EXPLAIN: FlagSpec = {
  name: 'explain',
  kind: 'boolean',
  summary: 'show the ranks and scores of each stage',
};

/** The flags that are keys of a search request, as a line of a bulk search may hold them too. */
export const SEARCH_FLAGS: readonly FlagSpec[] = [
  K,
  MODE,
  ...FILTER_FLAGS,
  MAX_TOKENS,
  { name: 'snippet-chars', kind: 'integer', value: 'N', summary: 'longest snippet in characters, at least 60' },
  { name: 'cursor', kind: 'string', value: 'C', summary: 'the next page of an earlier search' },
  EXPLAIN,
  {
    name: 'expect',
    kind: 'string',
    value: 'URI',
    summary: 'say why this place (notes/a.md#L10) is not among the hits',
  },
];
