import type { AnalysedQuery } from '../analysis/analysed-query.ts';
import { indexTextOf, lexicalRelevance } from '../relevance/lexical-relevance.ts';
import { queryWeights } from '../relevance/query-weights.ts';
import type { ChunkWithDocument } from '../contracts/document-store.ts';
import type { LexicalIndex } from '../contracts/lexical-index.ts';

/** The share of a query's weight that a chunk holds, 0 to 1, as the gate of `ask` measures it; 0 for a chunk that is gone. */
export function heldShare(
  query: AnalysedQuery,
  chunk: ChunkWithDocument | null,
  index: Pick<LexicalIndex, 'termStats'>,
): number {
  if (chunk === null) return 0;
  const weights = queryWeights(query, (tokens) => index.termStats(tokens));
  return lexicalRelevance(weights, indexTextOf(chunk));
}
