import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  BULK_SEARCH,
  invalidInput,
  MAX_TOOL_QUERY,
  parseSearchRequest,
  SEARCH,
  type BulkSearchInput,
  type BulkSearchItem,
  type BulkSearchResponse,
} from '@kebab/core/app';
import { isObject } from '../protocol/json-rpc.ts';
import type { KebabTool } from './tool.ts';

/** `search`: finds passages. */
export const search: KebabTool<typeof SEARCH> = {
  name: 'search',
  title: 'Search the knowledge base',
  description:
    'Finds passages in the user’s notes, papers and source code. Each hit has a snippet, ids, and a citation whose uri names file and lines. Search before answering from memory; fetch what you are going to quote.',
  input: SEARCH,
  outputs: ['search_response'],
  writes: false,
  run(args, { app, settings, signal }) {
    const { query, options } = parseSearchRequest({ max_tokens: settings.defaultMaxTokens, ...args });
    return app.search(query, { ...options, signal });
  },
};

/** `bulk_search`: several searches in one call. */
export const bulkSearch: KebabTool<typeof BULK_SEARCH> = {
  name: 'bulk_search',
  title: 'Search several things at once',
  description:
    'Runs 1 to 100 searches, answered in order. A query that fails fills its own error and stops nothing. Without max_tokens of their own the queries share the budget of one response.',
  input: BULK_SEARCH,
  outputs: ['bulk_search_response'],
  writes: false,
  read: ({ queries, ...args }) => (queries === undefined ? args : { ...args, queries: asObjects(queries) }),
  async run({ queries }, { app, settings, signal, progress }) {
    const asked = checkedQueries(queries);
    const maxTokens = Math.floor(settings.defaultMaxTokens / asked.length);
    const results: BulkSearchItem[] = [];
    const answers = app.bulkSearch(
      asked.map((query) => ({ max_tokens: maxTokens, ...query })),
      { signal },
    );
    for await (const answer of answers) {
      const query = asked[results.length] as BulkSearchItem['query'] & object;
      results.push({ ...answer, query });
      progress({ done: results.length, total: asked.length, message: `${results.length} of ${asked.length} queries` });
      await nextTurn(); // a search never yields: without a pause neither a cancellation nor another call is read
    }
    const failed = results.filter(({ error }) => error !== null).length;
    return {
      schema_version: 'bulk_search_response.v1',
      results,
      summary: { total: results.length, succeeded: results.length - failed, failed },
    } satisfies BulkSearchResponse;
  },
};

/** A search that is a text alone asks for that text. */
function asObjects(queries: unknown): unknown {
  return Array.isArray(queries)
    ? queries.map((query: unknown) => (typeof query === 'string' ? { query } : query))
    : queries;
}

/** Checks the number and the size of the queries; anything else wrong with one is its own result. */
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
    throw invalidInput(`queries[${long}].query is a text of at most ${MAX_TOOL_QUERY} characters`, {
      field: 'queries',
    });
  throw invalidInput(`queries[${odd}] is a text, or an object such as {"query": "words", "k": 3}`, {
    field: 'queries',
  });
}

function isTooLong(query: unknown): boolean {
  return typeof query === 'string' && query.length > MAX_TOOL_QUERY;
}
