import type { AnalysedQuery } from '../analysis/analysed-query.ts';
import type { AbortOptions } from '../contracts/contribution.ts';
import type { LexicalIndex } from '../contracts/lexical-index.ts';
import type { RankedChunk, RetrievalRequest, Retriever } from '../contracts/retriever.ts';

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
    return `${this.id}@${this.version}+${this.#index.fingerprint()}`;
  }

  indexVersion(): string {
    return this.#index.indexVersion();
  }

  /** Reads a query with the analysis of the index. */
  analyse(text: string): AnalysedQuery {
    return this.#index.analyseQuery(text);
  }

  // eslint-disable-next-line typescript/require-await -- the contract is asynchronous for retrievers that ask a model
  async retrieve(request: RetrievalRequest, options: AbortOptions = {}): Promise<readonly RankedChunk[]> {
    const hits = this.#index.search(request.query, request.filters, request.limit, options);
    return hits.map(({ chunkId, score }, at) => ({ chunkId, score, rank: at + 1 }));
  }
}
