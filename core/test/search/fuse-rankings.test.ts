import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RankedChunk } from '../../src/contracts/retriever.ts';
import type { ChunkId } from '../../src/domain/ids.ts';
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

const placeOf = (id: ChunkId): { docPath: string; ordinal: number; sourceId: string } => ({
  docPath: id,
  ordinal: 0,
  sourceId: 'default',
});
const settings = { rrfK: 60, placeOf };

const scoresOf = (fused: ReturnType<typeof fuseRankings>): Readonly<Record<string, number>> =>
  Object.fromEntries(fused.map(({ chunkId, score }) => [chunkId, Number(score.toFixed(4))]));

describe('fuseRankings', () => {
  it('scores first place on both sides 1, and one side alone at most half', () => {
    expect(scoresOf(fuseRankings(sides(['a', 'b'], ['a', 'c']), settings))).toMatchObject({
      a: 1,
      b: 0.4919,
      c: 0.4919,
    });
    expect(scoresOf(fuseRankings(sides(['a'], []), settings))).toEqual({ a: 0.5 });
  });

  it('scores ranks 2 and 5 with 0.9612 at k 60', () => {
    const fused = fuseRankings(sides(['x', 'c'], ['p', 'q', 'r', 's', 'c']), settings);
    expect(scoresOf(fused)['c']).toBe(0.9612);
  });

  it('gives each ranking its weight in the fused score', () => {
    const fused = fuseRankings(sides(['a'], ['b'], [3, 1]), settings);
    expect(scoresOf(fused)).toEqual({ a: 0.75, b: 0.25 });
    expect(fuseRankings(sides(['a'], ['b'], [0, 0]), settings).map(({ score }) => score)).toEqual([0, 0]);
  });

  it('keeps what each side gave a chunk', () => {
    const [first, second] = fuseRankings(sides(['a'], ['b', 'a']), settings);
    expect(first).toMatchObject({ chunkId: 'a', lexical: { rank: 1, score: 100 }, vector: { rank: 2, score: 99 } });
    expect(second).toMatchObject({ chunkId: 'b', lexical: null, vector: { rank: 1 } });
  });

  it('orders ties by place, whichever side they came from', () => {
    expect(fuseRankings(sides(['b'], ['a']), settings).map(({ chunkId }) => chunkId)).toEqual(['a', 'b']);
    expect(fuseRankings(sides(['a'], ['b']), settings).map(({ chunkId }) => chunkId)).toEqual(['a', 'b']);
  });

  it('asks for places of tied chunks only', () => {
    const asked: string[] = [];
    const noting = { rrfK: 60, placeOf: (id: ChunkId) => (asked.push(id), placeOf(id)) };
    fuseRankings(sides(['a', 'b', 'c'], ['a', 'x']), noting);
    expect(asked.toSorted()).toEqual(['b', 'x']);
  });

  it('gives each chunk once, with falling scores between 0 and 1', () => {
    const ids = fc.uniqueArray(fc.constantFrom(...'abcdefghij'));
    fc.assert(
      fc.property(ids, ids, fc.integer({ min: 0, max: 100 }), (lexical, vector, rrfK) => {
        const fused = fuseRankings(sides(lexical, vector), { rrfK, placeOf });
        const scores = fused.map(({ score }) => score);
        expect(new Set(fused.map(({ chunkId }) => chunkId))).toEqual(new Set([...lexical, ...vector]));
        expect(scores).toEqual(scores.toSorted((a, b) => b - a));
        expect(scores.every((score) => score > 0 && score <= 1 + 1e-12)).toBe(true);
      }),
    );
  });
});
