import { describe, expect, it } from 'vitest';
import type { ChunkId } from '../../src/domain/ids.ts';
import type { ChunkRank } from '../../src/search/chunk-rank.ts';
import { rerankHead } from '../../src/search/rerank-head.ts';
import type { Passage } from '../../src/contracts/retriever.ts';
import type { Reranker } from '../../src/contracts/reranker.ts';
import { FakeReranker, sampleWrite } from '@kebab/testing';
import { passageIn } from './found-chunks.ts';

async function rerank(
  reranker: Reranker,
  texts: Readonly<Record<string, string>>,
  topN = 50,
): Promise<readonly ChunkRank[]> {
  const passages = new Map<ChunkId, Passage>();
  const entries: ChunkRank[] = [];
  for (const [path, text] of Object.entries(texts)) {
    passages.set(path as ChunkId, passageIn(sampleWrite(path, text)));
    const score = 10 - entries.length;
    entries.push({ chunkId: path as ChunkId, score, lexical: { rank: 1, score }, vector: null, fusionScore: null });
  }
  return rerankHead({ query: 'old lighthouse', entries, passages, reranker, topN });
}

const texts = { 'a.md': 'bread', 'b.md': 'a lighthouse', 'c.md': 'an old lighthouse' };
const answering = (scores: readonly number[]): Reranker => ({
  id: 'wrong',
  version: '1',
  fingerprint: () => 'wrong@1',
  rerank: async (_query, items) =>
    scores.map((score, at) => ({ chunkId: items[at]?.chunkId ?? ('none' as ChunkId), score })),
});

describe('rerankHead', () => {
  it('orders by the scores of the reranker, which become those of the entries', async () => {
    expect(await rerank(new FakeReranker(), texts)).toMatchObject([
      { chunkId: 'c.md', score: 1, rerank: { rank: 1, score: 1 }, lexical: { score: 8 } },
      { chunkId: 'b.md', score: 0.5, rerank: { rank: 2, score: 0.5 } },
      { chunkId: 'a.md', score: 0, rerank: { rank: 3, score: 0 } },
    ]);
  });

  it('leaves the rest after the first entries unchanged', async () => {
    const reranked = await rerank(new FakeReranker(), texts, 2);
    expect(reranked.map(({ chunkId }) => chunkId)).toEqual(['b.md', 'a.md', 'c.md']);
    expect(reranked[2]?.rerank).toBeUndefined();
  });

  it('orders equal scores by place', async () => {
    const reranked = await rerank(new FakeReranker(), { 'z.md': 'salt', 'a.md': 'bread' });
    expect(reranked.map(({ chunkId }) => chunkId)).toEqual(['a.md', 'z.md']);
  });

  it('does not call the reranker for an empty list', async () => {
    const reranker = new FakeReranker();
    expect(await rerank(reranker, {})).toEqual([]);
    expect(reranker.calls).toEqual([]);
  });

  it.each([
    ['omits a passage', [0.5, 0.4]],
    ['adds one', [0.5, 0.4, 0.3, 0.2]],
    ['returns scores above 1', [0.5, 12, 0.3]],
    ['returns scores that are not numbers', [0.5, Number.NaN, 0.3]],
  ])('rejects the result of a reranker that %s', async (_, scores) => {
    await expect(rerank(answering(scores), texts)).rejects.toBeInstanceOf(TypeError);
  });
});
