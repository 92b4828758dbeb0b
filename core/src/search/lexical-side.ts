import { fingerprintOf } from '../domain/policy-hash.ts';
import type { AnalysedQuery } from '../analysis/analysed-query.ts';
import type { AbortOptions } from '../contracts/contribution.ts';
import type { ChunkWithDocument } from '../contracts/document-store.ts';
import type { LexicalIndex } from '../contracts/lexical-index.ts';
import type { RankedChunk, RetrievalRequest, Retriever } from '../contracts/retriever.ts';
import { indexTextOf, lexicalRelevance, queryWeights } from '../relevance/query-weights.ts';

/** Ranks chunks by BM25 over a lexical index. */
export class LexicalRetriever implements Retriever {
  readonly id = 'lexical';
  readonly version = '1';
  readonly scoreKind = 'bm25';
  readonly #index: LexicalIndex;

  constructor(index: LexicalIndex) {
    this.#index = index;
  }

  fingerprint(): string {
    return `${this.id}@${this.version}+${fingerprintOf(this.#index)}`;
  }

  indexVersion(): string {
    return this.#index.indexVersion();
  }

  /** Reads a query with the analysis of the index. */
  analyse(text: string): AnalysedQuery {
    return this.#index.analyseQuery(text);
  }

  async retrieve(request: RetrievalRequest, options: AbortOptions = {}): Promise<readonly RankedChunk[]> {
    const hits = await this.#index.search(request.query, request.filters, request.limit, options);
    return hits.map(({ chunkId, score }, at) => ({ chunkId, score, rank: at + 1 }));
  }
}

/** The share of a query's weight that a chunk holds, 0 to 1, as the gate of `ask` measures it; 0 for a chunk that is gone. */
export async function heldShare(
  query: AnalysedQuery,
  chunk: ChunkWithDocument | undefined,
  index: Pick<LexicalIndex, 'termStats'>,
): Promise<number> {
  if (chunk === undefined) return 0;
  const weights = await queryWeights(query, (tokens) => index.termStats(tokens));
  return lexicalRelevance(weights, indexTextOf(chunk));
}
