import type { AnalysedQuery } from '../analysis/analysed-query.ts';
import { bestWindow } from '../analysis/snippet.ts';
import type { Snippet } from './fit-budget.ts';

/** The part of a chunk's own text around the best match, as a hit carries it. */
export function makeSnippet(text: string, query: AnalysedQuery, maxChars: number): Snippet {
  const { text: snippet, isWhole } = bestWindow(text, query, maxChars);
  return { snippet, snippet_full_text: isWhole };
}
