import { charCount } from '../domain/text-size.ts';
import type { SearchHit, SearchResponse } from '../wire/index.ts';
import { countThatFits } from '../paging/count-that-fits.ts';
import { SNIPPET_FLOOR } from '../requests/search.ts';

/** A snippet as a hit carries it. */
export interface Snippet {
  readonly snippet: string;
  readonly snippet_full_text: boolean;
}

/** A page and what is needed to make it smaller. */
export interface BudgetRequest {
  /** The page with snippets of at most `snippetChars` characters and its own `next_cursor`. */
  readonly response: SearchResponse;
  readonly maxTokens: number;
  readonly snippetChars: number;
  /** The snippet of a hit at another length. */
  readonly resnip: (hit: number, maxChars: number) => Snippet;
  /** The cursor of the list behind the first `count` hits of the page. */
  readonly cursorBehind: (count: number) => string;
}

/**
 * The page, cut until its compact JSON has at most `maxTokens` output tokens, the trace left out of the count: first all
 * snippets at half the length, repeatedly, down to {@link SNIPPET_FLOOR}; then hits from the end, never below one.
 * `truncated` tells whether anything was cut.
 */
export function fitBudget(request: BudgetRequest): SearchResponse {
  const budget = request.maxTokens * 4;
  let response = request.response;
  let sizes = response.hits.map(sizeOf);
  const fits = (): boolean =>
    sizeOf(bare(response)) + sizes.reduce((sum, size) => sum + size + 1, sizes.length === 0 ? 0 : -1) <= budget;
  for (let cap = request.snippetChars; cap > SNIPPET_FLOOR && !fits();) {
    cap = Math.max(SNIPPET_FLOOR, Math.floor(cap / 2));
    response = withSnippets(response, (hit) => request.resnip(hit, cap));
    sizes = response.hits.map(sizeOf);
  }
  if (fits()) return response;
  const dropTo = (count: number): SearchResponse =>
    count === response.hits.length
      ? response
      : { ...response, hits: response.hits.slice(0, count), next_cursor: request.cursorBehind(count), truncated: true };
  return dropTo(countThatFits({ sizes, budget, sizeAround: (count) => sizeOf(bare(dropTo(count))) }));
}

/** A response as it is counted, without its hits. */
function bare(response: SearchResponse): Omit<SearchResponse, 'trace'> {
  const { schema_version, next_cursor, truncated, mode, degraded, expect } = response;
  const expected = expect === undefined ? {} : { expect };
  return { schema_version, hits: [], next_cursor, truncated, mode, degraded, ...expected };
}

function withSnippets(response: SearchResponse, resnip: (hit: number) => Snippet): SearchResponse {
  const hits = response.hits.map((hit, at): SearchHit => {
    const { snippet, snippet_full_text } = resnip(at);
    return snippet === hit.snippet ? hit : { ...hit, snippet, snippet_full_text };
  });
  return { ...response, hits, truncated: response.truncated || hits.some((hit, at) => hit !== response.hits[at]) };
}

/** The characters of the compact JSON of a value; those of the parts of a list add up. */
function sizeOf(value: unknown): number {
  return charCount(JSON.stringify(value));
}
