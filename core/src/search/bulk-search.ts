import { throwIfCancelled } from '../errors/abort.ts';
import { invalidInput } from '../errors/invalid-input.ts';
import type { BulkSearchInput, BulkSearchItem, IndexState, SearchResponse } from '../wire/index.ts';
import { toErrorV1 } from '../wire/to-error.ts';
import { BULK_SEARCH, parseSearchRequest, type SearchOptions, type SearchQuery } from '../requests/search.ts';

const MAX_QUERIES = BULK_SEARCH.queries.max;

/** Answers one query. */
export type SearchOne = (query: SearchQuery, options: BulkOptions) => Promise<SearchResponse>;

/** Options of a bulk search: `signal` cancels it; the others are defaults for each query. */
export type BulkOptions = SearchOptions & {
  readonly signal?: AbortSignal | undefined;
  readonly index?: IndexState | null | undefined;
};

/**
 * Answers queries sequentially, in their order. A query is a request object or its JSON text; a failing query fills its own `error` and the
 * others continue. Throws `invalid_input` for more queries than {@link BULK_SEARCH} allows before any runs, and `cancelled` when the signal
 * fires.
 */
export async function* bulkSearch(
  search: SearchOne,
  queries: readonly (BulkSearchInput | string)[],
  options: BulkOptions = {},
): AsyncGenerator<BulkSearchItem, void, undefined> {
  if (queries.length > MAX_QUERIES)
    throw invalidInput(`a bulk search takes at most ${MAX_QUERIES} queries, not ${queries.length}`, {
      field: 'queries',
      value: String(queries.length),
    });
  for (const query of queries) {
    throwIfCancelled(options.signal, 'bulk search');
    yield await answer(search, query, options);
    throwIfCancelled(options.signal, 'bulk search');
  }
}

async function answer(
  search: SearchOne,
  input: BulkSearchInput | string,
  shared: BulkOptions,
): Promise<BulkSearchItem> {
  const echo = { schema_version: 'bulk_search_item.v1', query: null } as const;
  let query: Record<string, unknown> | null = null;
  try {
    const json = typeof input === 'string' ? parseLine(input) : input;
    if (typeof json === 'object' && json !== null && !Array.isArray(json)) query = { ...json };
    const request = parseSearchRequest(json);
    const response = await search(request.query, { ...shared, ...request.options });
    return { ...echo, query, response, error: null };
  } catch (error) {
    throwIfCancelled(shared.signal, 'bulk search');
    return { ...echo, query: isWritable(query) ? query : null, response: null, error: toErrorV1(error) };
  }
}

/** Whether a value can be serialised as JSON again: parsed input may be nested too deeply for that. */
function isWritable(value: unknown): boolean {
  try {
    JSON.stringify(value);
    return true;
  } catch {
    return false;
  }
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw invalidInput(`a line of a bulk search is not JSON: ${why}`, { field: 'query', value: line.slice(0, 200) });
  }
}
