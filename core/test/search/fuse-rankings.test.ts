import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { Passage, RankedChunk } from '../../src/contracts/retriever.ts';
import type { ChunkId, DocumentId } from '../../src/domain/ids.ts';
import { fuseRankings, type WeightedRanking } from '../../src/search/fuse-rankings.ts';

const ranking = (...ids: readonly string[]): readonly RankedChunk[] =>
  ids.map((id, at) => ({ chunkId: id as ChunkId, rank: at + 1, score: 100 - at }));

const sides = (
  lexical: readonly string[],
  vector: readonly string[],
  weights: readonly [number, number] = [1, 1],
): readonly WeightedRanking[] => [
  { side: 'lexical', weight: weights[0], ranking: ranking(...lexical) },
  { side: 'vector', weight: weights[1], ranking: ranking(...vector) },
];

/** Every chunk is in a file of its own name. */
const store = {
  getPassages: async (ids: readonly ChunkId[]) =>
    ids.map((chunkId): Passage => ({
      chunkId,
      docId: chunkId as string as DocumentId,
      sourceId: 'default',
      workspacePath: chunkId,
      media: 'markdown',
      ordinal: 0,
      text: '',
      headingPath: [],
      sectionLabel: null,
      symbol: null,
    })),
};
const settings = { rrfK: 60, store };

const scoresOf = (fused: Awaited<ReturnType<typeof fuseRankings>>): Readonly<Record<string, number>> =>
  Object.fromEntries(fused.map(({ chunkId, score }) => [chunkId, Number(score.toFixed(4))]));

describe('fuseRankings', () => {
  it('scores first place on both sides 1, and one side alone at most half', async () => {
    expect(scoresOf(await fuseRankings(sides(['a', 'b'], ['a', 'c']), settings))).toMatchObject({
      a: 1,
      b: 0.4919,
      c: 0.4919,
    });
    expect(scoresOf(await fuseRankings(sides(['a'], []), settings))).toEqual({ a: 0.5 });
  });

  it('scores ranks 2 and 5 with 0.9612 at k 60', async () => {
    const fused = await fuseRankings(sides(['x', 'c'], ['p', 'q', 'r', 's', 'c']), settings);
    expect(scoresOf(fused)['c']).toBe(0.9612);
  });

  it('weights each ranking in the fused score', async () => {
    const fused = await fuseRankings(sides(['a'], ['b'], [3, 1]), settings);
    expect(scoresOf(fused)).toEqual({ a: 0.75, b: 0.25 });
    expect((await fuseRankings(sides(['a'], ['b'], [0, 0]), settings)).map(({ score }) => score)).toEqual([0, 0]);
  });

  it('keeps the results of each side for a chunk', async () => {
    const [first, second] = await fuseRankings(sides(['a'], ['b', 'a']), settings);
    expect(first).toMatchObject({ chunkId: 'a', lexical: { rank: 1, score: 100 }, vector: { rank: 2, score: 99 } });
    expect(second).toMatchObject({ chunkId: 'b', lexical: null, vector: { rank: 1 } });
  });

  it('orders ties by place, regardless of their side', async () => {
    expect((await fuseRankings(sides(['b'], ['a']), settings)).map(({ chunkId }) => chunkId)).toEqual(['a', 'b']);
    expect((await fuseRankings(sides(['a'], ['b']), settings)).map(({ chunkId }) => chunkId)).toEqual(['a', 'b']);
  });

  it('loads the places of tied chunks once, and of no others', async () => {
    const getPassages = vi.fn<typeof store.getPassages>(store.getPassages);
    await fuseRankings(sides(['a', 'b', 'c'], ['a', 'x', 'y']), { rrfK: 60, store: { getPassages } });
    expect(getPassages.mock.calls.map(([ids]) => ids.toSorted())).toEqual([['b', 'c', 'x', 'y']]);
    await fuseRankings(sides(['a', 'b'], ['a', 'b']), { rrfK: 60, store: { getPassages } });
    expect(getPassages).toHaveBeenCalledOnce();
  });

  it('returns each chunk once, with decreasing scores between 0 and 1', async () => {
    const ids = fc.uniqueArray(fc.constantFrom(...'abcdefghij'));
    await fc.assert(
      fc.asyncProperty(ids, ids, fc.integer({ min: 0, max: 100 }), async (lexical, vector, rrfK) => {
        const fused = await fuseRankings(sides(lexical, vector), { rrfK, store });
        const scores = fused.map(({ score }) => score);
        expect(new Set(fused.map(({ chunkId }) => chunkId))).toEqual(new Set([...lexical, ...vector]));
        expect(scores).toEqual(scores.toSorted((a, b) => b - a));
        expect(scores.every((score) => score > 0 && score <= 1 + 1e-12)).toBe(true);
      }),
    );
  });
});
