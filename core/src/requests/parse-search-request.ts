import type { SearchOptions, SearchQuery } from '../domain/query.ts';
import { invalidInput } from '../errors/invalid-input.ts';
import { parseFilters, type RequestObject } from './parse-filters.ts';

/** A request taken apart. */
export interface SearchRequest {
  readonly query: SearchQuery;
  readonly options: SearchOptions;
}

/** The keys of a search request beside the filters. */
export const SEARCH_KEYS = [
  'query',
  'mode',
  'k',
  'max_tokens',
  'snippet_chars',
  'cursor',
  'explain',
  'expect',
] as const;

/**
 * Reads a search request with keys in snake_case, as a line of a bulk search or the input of a tool. Checks keys and
 * types; the search itself checks ranges. Throws `invalid_input`.
 */
export function parseSearchRequest(request: unknown): SearchRequest {
  if (typeof request !== 'object' || request === null || Array.isArray(request))
    throw invalidInput('a search request is a JSON object such as {"query": "words"}', {
      value: JSON.stringify(request),
    });
  const fields = request as RequestObject;
  const filters = parseFilters(fields, SEARCH_KEYS);
  const text = typed(fields, 'query', 'string');
  if (text === undefined) throw invalidInput('a search request needs a query', { field: 'query' });
  const mode = typed(fields, 'mode', 'string');
  const k = typed(fields, 'k', 'number');
  const maxTokens = typed(fields, 'max_tokens', 'number');
  const snippetChars = typed(fields, 'snippet_chars', 'number');
  const cursor = typed(fields, 'cursor', 'string');
  const explain = typed(fields, 'explain', 'boolean');
  const expect = typed(fields, 'expect', 'string');
  return {
    query: {
      text,
      filters,
      ...(mode === undefined ? {} : { mode: mode as NonNullable<SearchQuery['mode']> }),
      ...(k === undefined ? {} : { k }),
    },
    options: {
      ...(maxTokens === undefined ? {} : { maxTokens }),
      ...(snippetChars === undefined ? {} : { snippetChars }),
      ...(cursor === undefined ? {} : { cursor }),
      ...(explain === undefined ? {} : { explain }),
      ...(expect === undefined ? {} : { expect }),
    },
  };
}

interface Primitives {
  readonly string: string;
  readonly number: number;
  readonly boolean: boolean;
}

function typed<T extends keyof Primitives>(
  request: RequestObject,
  key: (typeof SEARCH_KEYS)[number],
  type: T,
): Primitives[T] | undefined {
  const value = request[key];
  if (value === undefined || typeof value === type) return value as Primitives[T] | undefined;
  throw invalidInput(`${key} is a ${type}`, { field: key, value: JSON.stringify(value) });
}
