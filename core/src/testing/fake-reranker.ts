import { throwIfCancelled } from '../errors/abort.ts';
import type { AbortOptions } from '../contracts/contribution.ts';
import type { Reranker } from '../contracts/reranker.ts';
import type { ChunkId } from '../domain/ids.ts';

type Items = Parameters<Reranker['rerank']>[1];

/** A reranker without a model, for tests: the score is the share of the query's words that stand in a passage. */
export class FakeReranker implements Reranker {
  readonly id = 'fake';
  readonly version = '1';
  /** What it was asked, call by call. */
  readonly calls: { readonly query: string; readonly items: Items }[] = [];
  /** When set, every call fails with it. */
  failure: Error | null = null;

  fingerprint(): string {
    return 'fake@1';
  }

  // eslint-disable-next-line typescript/require-await -- the contract is asynchronous for rerankers that ask a model
  async rerank(
    query: string,
    items: Items,
    { signal }: AbortOptions = {},
  ): Promise<readonly { readonly chunkId: ChunkId; readonly score: number }[]> {
    throwIfCancelled(signal, 'rerank');
    this.calls.push({ query, items });
    if (this.failure !== null) throw this.failure;
    const wanted = wordsOf(query);
    return items
      .map(({ chunkId, text }) => ({ chunkId, score: shareOf(wanted, wordsOf(text)) }))
      .toSorted((a, b) => b.score - a.score || (a.chunkId < b.chunkId ? -1 : 1));
  }
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
}

function shareOf(wanted: ReadonlySet<string>, present: ReadonlySet<string>): number {
  let found = 0;
  for (const word of wanted) if (present.has(word)) found++;
  return wanted.size === 0 ? 0 : found / wanted.size;
}
