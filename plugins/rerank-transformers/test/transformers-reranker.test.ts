import type { ChunkId } from '@kebab/core';
import { tinyOverlap, tinyWords } from '@kebab/onnx-kit/testing';
import type { CrossEncoderConfig } from '@kebab/onnx-kit';
import { describe, expect, it } from 'vitest';
import { TransformersReranker } from '../src/transformers-reranker.ts';
import { configFor, tempModels } from '../../../kits/onnx/test/temp-cross-encoder.ts';

const newModel = tempModels();
const texts = ['how is bread made of flour water salt time the harbour closed at night'];

type Items = Parameters<TransformersReranker['rerank']>[1];
const itemsOf = (passages: Readonly<Record<string, string>>): Items =>
  Object.entries(passages).map(([id, text]) => ({ chunkId: id as ChunkId, text }));

async function withReranker<T>(
  config: CrossEncoderConfig,
  use: (reranker: TransformersReranker) => Promise<T> | T,
): Promise<T> {
  const reranker = await TransformersReranker.open(config);
  try {
    return await use(reranker);
  } finally {
    await reranker.close();
  }
}

describe('TransformersReranker', () => {
  it("scores by the sigmoid of the model's output, best first", async () => {
    const items = itemsOf({ a: 'closed harbour', b: 'bread made', c: 'bread' });
    const ranked = await withReranker(configFor(newModel({ texts })), (reranker) =>
      reranker.rerank('bread made', items),
    );
    const scoreFor = (passage: string): unknown => {
      const overlap = tinyOverlap(tinyWords(texts), ['bread', 'made'], passage.split(' '));
      return expect.closeTo(1 / (1 + Math.exp(-(12 * overlap - 6))), 5);
    };
    expect(ranked).toEqual([
      { chunkId: 'b', score: scoreFor('bread made') },
      { chunkId: 'c', score: scoreFor('bread') },
      { chunkId: 'a', score: scoreFor('closed harbour') },
    ]);
  });

  it('orders equal scores by id, independently of the order of its input', async () => {
    const items = itemsOf({ d: 'bread', b: 'bread', c: 'night', a: 'bread', e: '' });
    await withReranker(configFor(newModel({ texts })), async (reranker) => {
      const ranked = await reranker.rerank('bread', items);
      expect(ranked.map(({ chunkId }) => chunkId).filter((id) => 'abd'.includes(id))).toEqual(['a', 'b', 'd']);
      for (const other of [items.toReversed(), items.toSorted((a, b) => (a.chunkId < b.chunkId ? -1 : 1))])
        expect(await reranker.rerank('bread', other)).toEqual(ranked);
    });
  });

  it('uses the best window of a passage, wherever the answer is', async () => {
    const filler = 'the harbour closed at night '.repeat(30);
    const items = itemsOf({
      start: `bread made of flour ${filler}`,
      end: `${filler} bread made of flour`,
      none: filler,
    });
    const model = newModel({ texts, maxTokens: 24 });
    const ranked = await withReranker(configFor(model), (reranker) => reranker.rerank('how is bread made', items));
    expect(ranked.at(-1)?.chunkId).toBe('none');
    const [first, second, third] = ranked.map(({ score }) => score);
    expect(second).toBeGreaterThan(2 * (third ?? 1));
    expect(first).toBeGreaterThanOrEqual(second ?? 1);
  });

  it('reads all of a query that is longer than its window', async () => {
    const filler = 'the harbour closed at night '.repeat(10);
    const model = newModel({ texts, maxTokens: 24 });
    const items = itemsOf({ bread: 'bread flour water salt', night: 'night night' });
    await withReranker(configFor(model), async (reranker) => {
      const scoreOf = async (query: string): Promise<number> => {
        const ranked = await reranker.rerank(query, items);
        return ranked.find(({ chunkId }) => chunkId === 'bread')?.score ?? Number.NaN;
      };
      expect(await scoreOf(`${filler} bread flour water salt`)).toBeGreaterThan(await scoreOf(filler));
    });
  });
});
