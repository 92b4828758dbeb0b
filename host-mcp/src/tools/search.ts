import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  BULK_SEARCH,
  COMMITS,
  commitLines,
  invalidInput,
  MAX_TOOL_QUERY,
  parseSearchRequest,
  printable,
  readRequest,
  SEARCH,
  toErrorV1,
  type BulkSearchBrief,
  type BulkSearchInput,
  type BulkSearchItem,
  type CommitResult,
  type Fields,
  type SearchBrief,
  type SearchHit,
  type SearchResponse,
} from '@kebab/core/app';
import { isObject } from '../protocol/surface.ts';
import { forAgents, type KebabTool, type ToolCall, withHintsForAgents } from './tool.ts';

type BriefHit = SearchBrief['hits'][number];

/** A page of hits with only what an agent needs to choose, read, cite and check them: a tenth of the bytes of the full response. */
function briefOf(response: SearchResponse, isCut: boolean): SearchBrief {
  const { hits, next_cursor, mode, truncated, degraded } = response;
  const { relaxed, notices, suggestions, unread, unknown_terms, nearest_only, index, trace, expect } = response;
  return {
    schema_version: 'search_brief.v1',
    hits: hits.map(briefHit),
    next_cursor,
    mode,
    ...(truncated || isCut ? { truncated: true } : {}),
    ...(degraded.length === 0 ? {} : { degraded }),
    ...withoutAbsent({ relaxed, notices, suggestions, unread, unknown_terms, nearest_only, index, trace, expect }),
  };
}

/** The members that have a value. */
function withoutAbsent<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never;
}

function briefHit(hit: SearchHit): BriefHit {
  const { citation, section_label: section, score, snippet, freshness, also_at, more_in_doc } = hit;
  const { relevance } = hit.retrieval;
  return {
    uri: citation.uri,
    ...(section === null ? {} : { section }),
    score: Number(score.toPrecision(3)),
    ...(relevance === undefined ? {} : { relevance }),
    content_hash: citation.content_hash,
    snippet,
    ...withoutAbsent({ also_at, more_in_doc }),
    ...(freshness === 'fresh' ? {} : { freshness }),
  };
}

/** The same for a host that only shows texts: every uri and snippet, what was requested besides, and how to continue. */
function briefText({ hits, next_cursor: cursor, expect, trace, suggestions, index, ...said }: SearchBrief): string {
  const first = hits.flatMap((hit, at) => [`${at + 1}. ${hit.uri}${freshnessOf(hit)}`, hit.snippet]);
  const more = [
    ...(hits.length === 0 ? ['Nothing found.'] : []),
    ...(said.unknown_terms === undefined ? [] : [`no passage contains: ${said.unknown_terms.join(', ')}`]),
    ...(said.nearest_only === undefined ? [] : ['Nothing answers this: the hits are only the nearest.']),
    ...(suggestions === undefined ? [] : [`suggestions: ${JSON.stringify(suggestions)}`]),
    ...(expect === undefined ? [] : [`expect: ${JSON.stringify(expect)}`]),
    ...(said.relaxed === undefined ? [] : [`relaxed: ${JSON.stringify(said.relaxed)}`]),
    ...(said.notices ?? []).map(({ text, hint }) => `${text}: ${hint}`),
    ...(said.degraded ?? []).map(({ stage, reason, hint }) => `not searched: ${stage} (${reason}); ${hint}`),
    ...(said.unread ?? []).map(({ doc_path, why, remedy }) => `not searched: ${doc_path} (${why}); ${remedy}`),
    ...(index === undefined
      ? []
      : index.changed === 0
        ? [index.hint]
        : [`${index.changed} changed files are not in the index (${index.reason}); ${index.hint}`]),
    ...(trace === undefined
      ? []
      : ['The trace is in the structured content; detail full also includes it in the text.']),
    ...(cursor === null ? [] : [`next_cursor: ${cursor}`]),
  ];
  return [...first, ...more].map(printable).join('\n');
}

/** The texts of several searches, each below its query. */
function bulkText({ results }: BulkSearchBrief): string {
  return results
    .map(({ query, response, error }) => {
      const answer =
        response === undefined ? printable(`error: ${error?.message}; ${error?.hint}`) : briefText(response);
      return `## ${printable(query ?? 'no query')}\n${answer}`;
    })
    .join('\n\n');
}

function freshnessOf({ freshness }: BriefHit): string {
  return freshness === undefined ? '' : ` [${freshness}]`;
}

const DETAIL = {
  kind: 'enum',
  values: ['brief', 'full'],
  doc: 'how much detail a hit has',
  description:
    'brief (default): uri, section, score, content_hash, snippet of a hit. full: also ids, dates, scores of each side.',
} as const satisfies Fields[string];

const { required: _required, ...LAST_COMMITS } = COMMITS.commits;
const SEARCH_TOOL = { ...SEARCH, commits: LAST_COMMITS, detail: DETAIL } as const satisfies Fields;

/** `search`: finds passages. */
export const search: KebabTool<typeof SEARCH_TOOL> = {
  name: 'search',
  operation: 'search',
  title: 'Search the knowledge base',
  description:
    'Finds passages in the user’s notes, papers and source code. Each hit has a snippet and a uri that names file and lines. Search before answering from memory; fetch what you quote.',
  input: SEARCH_TOOL,
  outputs: ['search_brief', 'search_response', 'commit_result'],
  textForms: ['search_brief', 'commit_result'],
  textOf: (answer) => {
    const form = answer as SearchBrief | CommitResult;
    return form.schema_version === 'commit_result.v1' ? commitLines(form).map(printable).join('\n') : briefText(form);
  },
  run({ detail = 'brief', commits, ...args }, { app, settings, signal }) {
    if (commits !== undefined) return app.searchCommits(readRequest({ ...args, commits }, COMMITS), { signal });
    const request = { max_tokens: settings.defaultMaxTokens, ...args };
    const { query, options } = parseSearchRequest(request);
    return detail === 'full' ? app.search(query, { ...options, signal }) : searchBriefly(request, { app, signal });
  },
};

const BULK_TOOL = { ...BULK_SEARCH, detail: { ...DETAIL, description: 'See search.' } } as const satisfies Fields;

/** `bulk_search`: several searches in one call. */
export const bulkSearch: KebabTool<typeof BULK_TOOL> = {
  name: 'bulk_search',
  operation: 'bulkSearch',
  title: 'Search several things at once',
  description:
    'Runs 1 to 100 searches, answered in order; one that fails fills its own error. They share the budget of one response.',
  input: BULK_TOOL,
  outputs: ['bulk_search_brief', 'bulk_search_response'],
  read: ({ queries, ...args }) => (queries === undefined ? args : { ...args, queries: asObjects(queries) }),
  textOf: (answer) => bulkText(answer as BulkSearchBrief),
  async run({ queries, detail = 'brief' }, call) {
    const requests = checkedQueries(queries);
    const maxTokens = Math.floor(call.settings.defaultMaxTokens / requests.length);
    const answer = detail === 'full' ? answerInFull : answerBriefly;
    const results: (BulkSearchItem | BriefItem)[] = [];
    for (const query of requests) {
      results.push(await answer(query, maxTokens, call));
      const message = `${results.length} of ${requests.length} queries`;
      call.progress({ done: results.length, total: requests.length, message });
      await nextTurn(); // a search never yields to the event loop: without a pause no cancellation and no other call would be read
    }
    const failed = results.filter(({ error }) => (error ?? null) !== null).length;
    const summary = { total: results.length, succeeded: results.length - failed, failed };
    const schema_version = detail === 'full' ? 'bulk_search_response.v1' : 'bulk_search_brief.v1';
    return { schema_version, results, summary };
  },
};

type BriefItem = BulkSearchBrief['results'][number];

async function answerInFull(query: BulkSearchInput, maxTokens: number, call: ToolCall): Promise<BulkSearchItem> {
  for await (const item of call.app.bulkSearch([{ max_tokens: maxTokens, ...query }], { signal: call.signal }))
    return {
      ...item,
      query,
      response: item.response === null ? null : withHintsForAgents(item.response, search.input),
      error: item.error === null ? null : forAgents(item.error, search),
    };
  throw new Error('a search of one query has no answer');
}

async function answerBriefly(query: BulkSearchInput, maxTokens: number, call: ToolCall): Promise<BriefItem> {
  const { query: text = null } = query as Partial<BulkSearchInput>;
  const echo = { query: typeof text === 'string' ? text : null };
  try {
    const response = await searchBriefly({ max_tokens: maxTokens, ...query }, call);
    return { ...echo, response: withHintsForAgents(response, search.input) };
  } catch (error) {
    call.signal.throwIfAborted();
    return { ...echo, error: forAgents(toErrorV1(error), search) };
  }
}

const SNIPPET_FLOOR = SEARCH.snippet_chars.min;

/** Searches for as many brief hits as fit `max_tokens`: snippets are shortened first, then the page. At least one hit remains. */
async function searchBriefly(
  request: BulkSearchInput,
  { app, signal }: Pick<ToolCall, 'app' | 'signal'>,
): Promise<SearchBrief> {
  const { query, options } = parseSearchRequest(request);
  const { maxTokens = Infinity, ...others } = options;
  let { snippetChars, atMost } = options;
  for (let isCut = false; ; isCut = true) {
    const response = await app.search(query, { ...others, snippetChars, atMost, signal });
    const brief = briefOf(response, isCut);
    if (brief.hits.length === 0) return withinRoom(brief, maxTokens);
    const { hits, trace: _trace, ...around } = brief;
    let room = maxTokens * 4 - sizeOf({ ...around, hits: [] });
    const fitting = hits.findIndex((hit) => (room -= sizeOf(hit) + 1) < 0);
    if (fitting === -1) return brief;
    snippetChars ??= Math.max(...hits.map(({ snippet }) => snippet.length));
    if (snippetChars > SNIPPET_FLOOR) snippetChars = Math.max(SNIPPET_FLOOR, Math.floor(snippetChars / 2));
    else if (hits.length > 1) atMost = Math.max(1, fitting);
    else return brief;
  }
}

/** Without hits only suggestions can be shortened: to the intended values, without the other existing ones. */
function withinRoom(brief: SearchBrief, maxTokens: number): SearchBrief {
  const { suggestions, trace: _trace, ...around } = brief;
  if (suggestions === undefined || sizeOf({ ...around, suggestions }) <= maxTokens * 4) return brief;
  const filters = suggestions.filters.map((filter) => ({ ...filter, known: [] }));
  return { ...brief, suggestions: { ...suggestions, filters }, truncated: true };
}

function sizeOf(value: object): number {
  return JSON.stringify(value).length;
}

/** A search given as a string is a query for that string. */
function asObjects(queries: unknown): unknown {
  return Array.isArray(queries)
    ? queries.map((query: unknown) => (typeof query === 'string' ? { query } : query))
    : queries;
}

/** Checks the number and the size of the queries; any other error of a query is reported as its result. */
function checkedQueries(queries: readonly BulkSearchInput[]): readonly BulkSearchInput[] {
  if (queries.length === 0 || queries.length > BULK_SEARCH.queries.max)
    throw invalidInput(`queries holds 1 to ${BULK_SEARCH.queries.max} searches, not ${queries.length}`, {
      field: 'queries',
      value: String(queries.length),
    });
  const odd = queries.findIndex((query) => !isObject(query));
  const long = queries.findIndex((query) => isObject(query) && isTooLong(query['query']));
  if (odd === -1 && long === -1) return queries;
  if (odd === -1)
    throw invalidInput(`queries[${long}].query must be a string of at most ${MAX_TOOL_QUERY} characters`, {
      field: 'queries',
    });
  throw invalidInput(`queries[${odd}] must be a string, or an object such as {"query": "words", "k": 3}`, {
    field: 'queries',
  });
}

function isTooLong(query: unknown): boolean {
  return typeof query === 'string' && query.length > MAX_TOOL_QUERY;
}
