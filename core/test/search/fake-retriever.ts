import type { AbortOptions } from '../../src/contracts/contribution.ts';
import type { RankedChunk, RetrievalRequest, Retriever } from '../../src/contracts/retriever.ts';

/** Ranks given chunks, or behaves as configured. */
export class FakeRetriever implements Retriever {
  readonly id = 'grep';
  readonly version = '1';
  readonly scoreKind: Retriever['scoreKind'];
  /** Ids of chunks, best first. */
  ranking: readonly string[];
  scoreOf: (at: number) => number = (at) => 9 - at;
  index = 'one';
  instead: ((request: RetrievalRequest, signal: AbortSignal | undefined) => Promise<unknown>) | null = null;
  /** The limit of each request. */
  readonly limits: number[] = [];

  constructor(scoreKind: Retriever['scoreKind'] = 'bm25', ranking: readonly string[] = []) {
    this.scoreKind = scoreKind;
    this.ranking = ranking;
  }

  fingerprint(): string {
    return 'grep@1';
  }

  indexVersion(): string {
    return this.index;
  }

  async retrieve(request: RetrievalRequest, { signal }: AbortOptions = {}): Promise<readonly RankedChunk[]> {
    this.limits.push(request.limit);
    if (this.instead !== null) return (await this.instead(request, signal)) as readonly RankedChunk[];
    return this.ranking
      .slice(0, request.limit)
      .map((id, at) => ({ chunkId: id as RankedChunk['chunkId'], score: this.scoreOf(at), rank: at + 1 }));
  }
}
