import { MODES, SORTS, type AskedFilters, type Mode, type Sort } from '../domain/query.ts';
import { invalidInput } from '../errors/invalid-input.ts';
import { camelCased, type CamelCased, type Fields, type RequestOf } from '../schema/field.ts';
import { FILTERS, readFilters } from './filters.ts';
import { checkMember, checkMembers, readRequest, type RequestObject } from './read-request.ts';

/** A longer query is a document; analysing it would block all other calls of a server. */
export const MAX_TOOL_QUERY = 10_000;

/** The last hit that a numbered page may show: each numbered page ranks the hits before it again. */
const MAX_RANK = 1000;

const QUERY_HINT = 'type some words, or a filter such as tag:work, which lists documents, newest first';

/** The minimum length that snippets are cut to, in characters. */
export const SNIPPET_FLOOR = 60;

/** How many passages of one document are among ten hits unless requested, and at most: no document is limited then. */
const PER_DOCUMENT = 3;
export const MAX_PER_DOCUMENT = 100;

/** What other programs call the number of hits or lines. */
export const COUNTS = ['limit', 'top_k', 'n', 'count', 'num_results', 'max_results', 'head_limit', 'k'] as const;

const PLAIN = {
  query: {
    kind: 'text',
    synonyms: ['q', 'text', 'question', 'prompt', 'pattern'],
    required: true,
    notBlank: true,
    maxToolChars: MAX_TOOL_QUERY,
    doc: 'words; "a phrase" must occur, -word must not',
    description:
      'What to look for: words; "a phrase" must occur, -word must not. Also word*, OR, NEAR/5; tag: path: type: lang: source: title: since: until:, even alone.',
  },
  mode: {
    kind: 'enum',
    values: MODES,
    placeholder: 'MODE',
    doc: 'lexical, vector or hybrid (default)',
    description: 'By words, by meaning, or both (default); degraded names what cannot run.',
  },
  k: {
    kind: 'int',
    synonyms: COUNTS,
    min: 1,
    max: 100,
    short: 'k',
    placeholder: 'N',
    doc: 'how many hits, 1 to 100',
    description: 'Hits on a page, 1 to 100.',
  },
  max_tokens: {
    kind: 'int',
    synonyms: ['tokens', 'token_budget'],
    min: 0,
    placeholder: 'N',
    doc: 'limit of the output, in tokens of four characters',
    description: 'Budget of the response in tokens of four characters; snippets are cut first.',
  },
  min_relevance: {
    kind: 'number',
    min: 0,
    max: 1,
    placeholder: 'R',
    doc: 'leave out hits below this relevance, 0 to 1',
    description: 'Leaves out hits of less estimated relevance, 0 to 1; answers have about 0.3 or more.',
  },
  min_score: {
    kind: 'number',
    placeholder: 'S',
    doc: 'leave out hits with a lower score, as it is shown',
    description: 'Leaves out hits with a lower score; score_kind says what it means.',
  },
  page: {
    kind: 'int',
    min: 1,
    placeholder: 'N',
    doc: 'page N of k hits each, from 1; down to hit 1000',
    description: 'The page of k hits, from 1; next_cursor goes beyond hit 1000.',
  },
  per_doc: {
    kind: 'int',
    min: 1,
    max: MAX_PER_DOCUMENT,
    placeholder: 'N',
    doc: 'passages of one document among ten hits; 3 by default',
    description: 'Passages of a document in ten hits; default 3.',
  },
  snippet_chars: {
    kind: 'int',
    min: SNIPPET_FLOOR,
    placeholder: 'N',
    doc: 'longest snippet in characters, at least 60',
    description: 'Longest snippet in characters, at least 60.',
  },
  literal: {
    kind: 'bool',
    short: 'F',
    doc: 'look for the text as it is typed, with its case and punctuation',
    description: 'Looks for the query as one text, with its case and punctuation.',
  },
  sort: {
    kind: 'enum',
    values: SORTS,
    placeholder: 'ORDER',
    doc: 'order of the best 1000 hits: score (default), date (newest first) or path',
    description: 'Order of the best 1000 hits: score, date (newest first) or path.',
  },
  cursor: {
    kind: 'text',
    placeholder: 'C',
    doc: 'next_cursor of the previous page',
    description: 'next_cursor of the page before, same query.',
  },
  explain: {
    kind: 'bool',
    doc: 'show the ranks and scores of each stage',
    description: 'Adds a trace that shows how the hits were ranked.',
  },
  expect: {
    kind: 'text',
    notBlank: true,
    placeholder: 'URI',
    doc: 'explain why this place (notes/a.md#L10) is not a hit',
    description: 'A citation uri (notes/a.md#L10): says its rank, or why it is no hit.',
  },
} as const satisfies Fields;

/** A search: the input of a bulk search line and of the tool `search`. */
export const SEARCH = { ...PLAIN, ...FILTERS } as const satisfies Fields;

/** The cursor of a list that is not one of hits. */
export const NEXT_PAGE = { ...SEARCH.cursor, description: 'next_cursor of the page before.' } as const;

/** An unparsed search. */
export type BulkSearchInput = RequestOf<typeof SEARCH>;

/** Several searches, answered in order. */
export const BULK_SEARCH = {
  queries: {
    kind: 'tables',
    synonyms: ['query', 'searches'],
    fields: SEARCH,
    isBrief: true,
    required: true,
    min: 1,
    max: 100,
    doc: 'the searches',
    description: 'The searches: objects with the arguments of the tool search.',
  },
} as const satisfies Fields;

/** A search of the commits of the repositories among the sources. */
export const COMMITS = {
  query: PLAIN.query,
  commits: {
    kind: 'int',
    required: true,
    min: 1,
    max: 20_000,
    placeholder: 'N',
    doc: 'search the messages and changed lines of the last N commits instead',
    description: 'Searches the last N commits instead: messages, changed lines.',
  },
  k: PLAIN.k,
  source: FILTERS.source,
  path_glob: FILTERS.path_glob,
  since: FILTERS.since,
  until: FILTERS.until,
} as const satisfies Fields;

/** A search of commits. */
export type CommitsRequest = RequestOf<typeof COMMITS>;

type PlainRequest = RequestOf<typeof PLAIN>;

/** An unchecked search; the ranges are those of {@link SEARCH}. */
export interface SearchQuery extends Pick<PlainRequest, 'mode' | 'k'> {
  readonly text: string;
  readonly filters?: AskedFilters | undefined;
}

/** Unchecked options of a search; the ranges are those of {@link SEARCH}. */
export interface SearchOptions extends CamelCased<Omit<PlainRequest, 'query' | 'mode' | 'k'>> {
  /** False bypasses the result cache of the process. */
  readonly cache?: boolean | undefined;
  /** False searches the index as it is, without checking for changed files. */
  readonly refresh?: boolean | undefined;
  /** Whether to count the documents that the search finds, by the values that filters can have. */
  readonly facets?: boolean | undefined;
  /** Returns only this many hits of the page, at least one; `next_cursor` continues after them. */
  readonly atMost?: number | undefined;
}

/** A parsed search. */
export interface SearchRequest {
  readonly query: SearchQuery;
  readonly options: SearchOptions;
}

/** Parses a search from a line of a bulk search, the input of a tool or a command line. Throws `invalid_input`. */
export function parseSearchRequest(request: unknown): SearchRequest {
  if (typeof request !== 'object' || request === null || Array.isArray(request))
    throw invalidInput('a search request is a JSON object such as {"query": "words"}', {
      value: JSON.stringify(request),
    });
  const { query: text, mode, k, ...rest } = readRequest(request as RequestObject, SEARCH);
  const filters = readFilters(rest);
  const options = Object.keys(PLAIN).filter((key): key is keyof typeof rest => key in rest);
  return {
    query: { text, mode, k, filters },
    options: camelCased(Object.fromEntries(options.map((key) => [key, rest[key]]))),
  };
}

/** A validated search with every default filled in. */
export interface CheckedSearch {
  readonly text: string;
  readonly mode: Mode;
  /** The number of hits on the page that begins at `offset`. */
  readonly k: number;
  readonly filters: AskedFilters;
  /** Null: the response is not truncated. */
  readonly maxTokens: number | null;
  /** Null: the configured value for lists that include vector results, and no limit for lexical lists. */
  readonly minRelevance: number | null;
  /** Null: hits of any score. */
  readonly minScore: number | null;
  /** How many passages of one document are among ten hits. */
  readonly perDocument: number;
  readonly snippetChars: number;
  readonly cursor: string | null;
  readonly sort: Sort;
  readonly literal: boolean;
  /** The number of hits before the page, unless a cursor determines it. */
  readonly offset: number;
  readonly explain: boolean;
  /** Null: no expectation. */
  readonly expect: string | null;
  readonly cache: boolean;
}

/** The defaults from the configuration. */
export interface SearchDefaults {
  readonly defaultK: number;
  readonly snippetChars: number;
}

/** Fills in defaults and checks every value. Throws `invalid_input` for an empty query and for values out of range. */
export function checkSearch(query: SearchQuery, options: SearchOptions, defaults: SearchDefaults): CheckedSearch {
  const { text, mode = 'hybrid', k = defaults.defaultK, filters = {} } = query;
  if (text.trim() === '' && Object.keys(filters).length === 0)
    throw invalidInput('the query is empty', { field: 'query', value: text, hint: QUERY_HINT });
  checkMembers(PLAIN, { ...options, query: text, mode, k });
  const { snippetChars = defaults.snippetChars } = options;
  return {
    text,
    mode,
    k: Math.min(k, options.atMost ?? k),
    offset: offsetOf(options, k),
    minScore: options.minScore ?? null,
    filters,
    maxTokens: options.maxTokens ?? null,
    minRelevance: options.minRelevance ?? null,
    perDocument: options.perDoc ?? PER_DOCUMENT,
    snippetChars: checkMember('snippet_chars', PLAIN.snippet_chars, snippetChars),
    cursor: options.cursor ?? null,
    sort: options.sort ?? 'score',
    literal: options.literal ?? false,
    explain: options.explain ?? false,
    expect: options.expect ?? null,
    cache: options.cache ?? true,
  };
}

/** The offset of a numbered page. Throws `invalid_input` when a cursor is given as well, and for a page beyond the last rank. */
function offsetOf({ page, cursor }: SearchOptions, k: number): number {
  if (page === undefined) return 0;
  if (cursor !== undefined) throw invalidInput('page and cursor exclude each other: leave one out', { field: 'page' });
  const last = Math.max(1, Math.floor(MAX_RANK / k));
  if (page <= last) return (page - 1) * k;
  throw invalidInput(`page ${page} of ${k} hits each ends after hit ${MAX_RANK}: the last page is ${last}`, {
    field: 'page',
    value: String(page),
    hint: 'make the query more specific, or follow next_cursor',
  });
}
