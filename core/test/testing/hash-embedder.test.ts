import { describe, expect, it } from 'vitest';
import { HashEmbedder } from '../../src/testing/hash-embedder.ts';
import { cosine } from '../../src/testing/sample-vectors.ts';

async function cosines(one: string, ...others: readonly string[]): Promise<readonly number[]> {
  const vectors = await new HashEmbedder().embed([one, ...others].map((text) => ({ text, kind: 'document' })));
  const [first, ...rest] = vectors.map((vector) => vector ?? new Float32Array());
  return rest.map((vector) => cosine(first ?? new Float32Array(), vector));
}

describe('HashEmbedder', () => {
  it('puts texts that share words near each other, whatever their order and case, in any language', async () => {
    const [same, half, none] = await cosines('red apple pie', 'Pie, apple: RED!', 'red apple cake', 'blue sky');
    expect(same).toBeCloseTo(1, 5);
    expect(half).toBeGreaterThan(0.4);
    expect(none).toBeLessThan(0.4);
    const [korean, other] = await cosines('검색 엔진은 빠르다', '빠르다 검색', '오늘 날씨');
    expect(korean).toBeGreaterThan(other ?? 1);
  });

  it('counts the texts it was given, and fails with what it is told to fail with', async () => {
    const embedder = new HashEmbedder({ dimensions: 8 });
    await embedder.embed([
      { text: 'one', kind: 'query' },
      { text: '', kind: 'document' },
    ]);
    embedder.failure = new Error('out of order');
    await expect(embedder.embed([{ text: 'two', kind: 'query' }])).rejects.toThrow('out of order');
    embedder.failure = null;
    await embedder.embed([{ text: 'three', kind: 'query' }]);
    expect(embedder.textsEmbedded).toBe(3);
  });

  it('has a fingerprint that tells models of other dimensions apart', () => {
    const prints = [new HashEmbedder(), new HashEmbedder({ dimensions: 8 }), new HashEmbedder({ modelId: 'other' })];
    expect(new Set(prints.map((embedder) => embedder.fingerprint())).size).toBe(3);
  });
});
