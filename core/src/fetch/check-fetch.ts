import type { FetchOptions, FetchQuery } from '../domain/query.ts';
import { invalidInput } from '../errors/invalid-input.ts';
import { wholeNumber } from '../requests/check-search.ts';

/** The options of a fetch, checked against its kind. */
export interface CheckedFetch {
  /** Chunks wanted before and after. */
  readonly context: number;
  /** Budget in characters; null when there is none. */
  readonly maxChars: number | null;
}

/**
 * Checks the options of a fetch. Throws `invalid_input` for a budget on a chunk, a context on anything else, numbers out
 * of range, and a span that begins before line 1 or ends before it begins.
 */
export function checkFetch(query: FetchQuery, { context, maxTokens }: FetchOptions): CheckedFetch {
  if (query.kind === 'chunk' && maxTokens !== undefined)
    throw invalidInput('a chunk is fetched whole: max_tokens goes with doc, span and uri', { field: 'max_tokens' });
  if (query.kind !== 'chunk' && context !== undefined)
    throw invalidInput(`context goes with a chunk, not with a ${query.kind}`, { field: 'context' });
  if (query.kind === 'span') {
    wholeNumber('line_start', query.lineStart, { min: 1 });
    wholeNumber('line_end', query.lineEnd, { min: query.lineStart });
  }
  return {
    context: context === undefined ? 0 : wholeNumber('context', context, { min: 0 }),
    maxChars: maxTokens === undefined ? null : wholeNumber('max_tokens', maxTokens, { min: 0 }) * 4,
  };
}
