import { describe, expect, it } from 'vitest';
import type { AbortOptions } from '../../src/contracts/contribution.ts';
import type { Reranker } from '../../src/contracts/reranker.ts';
import { FakeReranker } from '../../src/testing/fake-models.ts';
import { rerankerSuite } from '../../src/testing/passage-suites.ts';
import { failuresOf } from './failures.ts';

type Items = Parameters<Reranker['rerank']>[1];
type Answer = Awaited<ReturnType<Reranker['rerank']>>;

class Loses extends FakeReranker {
  override async rerank(query: string, items: Items, options?: AbortOptions): Promise<Answer> {
    return (await super.rerank(query, items, options)).slice(1);
  }
}

class Raw extends FakeReranker {
  override async rerank(query: string, items: Items, options?: AbortOptions): Promise<Answer> {
    return (await super.rerank(query, items, options)).map(({ chunkId, score }) => ({
      chunkId,
      score: score * 20 - 10,
    }));
  }
}

class ByPosition extends FakeReranker {
  override async rerank(_query: string, items: Items): Promise<Answer> {
    return items.map(({ chunkId }, at) => ({ chunkId, score: 1 / (at + 1) }));
  }
}

class ByBatch extends FakeReranker {
  override async rerank(query: string, items: Items, options?: AbortOptions): Promise<Answer> {
    const answer = await super.rerank(query, items, options);
    return answer.map(({ chunkId, score }) => ({ chunkId, score: score / Math.max(1, items.length) }));
  }
}

class Drifts extends FakeReranker {
  override async rerank(query: string, items: Items, options?: AbortOptions): Promise<Answer> {
    const answer = await super.rerank(query, items, options);
    return answer.map(({ chunkId, score }) => ({ chunkId, score: score / this.calls.length }));
  }
}

class Backwards extends FakeReranker {
  override async rerank(query: string, items: Items, options?: AbortOptions): Promise<Answer> {
    return (await super.rerank(query, items, options)).map(({ chunkId, score }) => ({ chunkId, score: 1 - score }));
  }
}

class NeedsPassages extends FakeReranker {
  override async rerank(query: string, items: Items, options?: AbortOptions): Promise<Answer> {
    if (items.length === 0) throw new RangeError('no passages');
    return super.rerank(query, items, options);
  }
}

class NeedsText extends FakeReranker {
  override async rerank(query: string, items: Items, options?: AbortOptions): Promise<Answer> {
    if (items.some(({ text }) => text === '')) throw new RangeError('no text');
    return super.rerank(query, items, options);
  }
}

class IgnoresAbort extends FakeReranker {
  override async rerank(query: string, items: Items): Promise<Answer> {
    return super.rerank(query, items);
  }
}

const failing = [
  ['loses a passage', Loses, 'returns every passage once'],
  ['returns raw scores', Raw, 'gives scores from 0 to 1'],
  ['depends on positions', ByPosition, 'gives a passage the same score in any position'],
  ['divides a score among passages', ByBatch, 'gives a passage the same score next to any others'],
  ['drifts', Drifts, 'gives the same answer twice'],
  ['ranks backwards', Backwards, 'ranks an answer above an unrelated passage'],
  ['wants passages', NeedsPassages, 'answers an empty list with an empty list'],
  ['wants text', NeedsText, 'accepts any query and any passage'],
  ['ignores its signal', IgnoresAbort, 'stops when the signal has fired'],
] as const;

describe('rerankerSuite', () => {
  it.each(failing)('fails for a reranker that %s', async (_, RerankerClass, promise) => {
    const suite = rerankerSuite({ open: async () => ({ reranker: new RerankerClass() }) });
    expect(await failuresOf(suite, promise)).toEqual([promise]);
  });

  it('closes every reranker it has opened', async () => {
    let open = 0;
    const suite = rerankerSuite({
      open: async () => {
        open++;
        return { reranker: new FakeReranker(), close: () => void open-- };
      },
    });
    expect(await failuresOf(suite)).toEqual([]);
    expect(open).toBe(0);
  });
});
