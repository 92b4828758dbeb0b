import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RankedChunk } from '../../src/contracts/retriever.ts';
import type { ChunkId } from '../../src/domain/ids.ts';
import { fuseRankings, type WeightedRanking, weighVectors } from '../../src/search/fuse-rankings.ts';
import type { QueryShape } from '../../src/search/query-shape.ts';

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

const question = { words: 'how is the lamp lit at night'.split(' '), identifiers: [] };

/** A list of chunks `first`, `first + 1`, … whose scores fall evenly from `best` to `least`. */
function list(first: number, length: number, [best, least]: readonly [number, number]): readonly RankedChunk[] {
  return Array.from({ length }, (_, at) => ({
    chunkId: `c${first + at}` as ChunkId,
    rank: at + 1,
    score: best - ((best - least) * at) / Math.max(1, length - 1),
  }));
}

/** Falls steeply within the first ten, then little. */
function sharp(first: number, length: number): readonly RankedChunk[] {
  return list(first, length, [1, 0]).map((entry, at) => ({
    ...entry,
    score: at < 10 ? 0.9 - at * 0.05 : 0.4 - at / 1e3,
  }));
}

const flat = list(0, 50, [10, 8]);

/** Weighs lists of a query whose words are all found, unless told otherwise. */
function weigh(
  shape: QueryShape,
  lexical: readonly RankedChunk[],
  vector: readonly RankedChunk[],
  held = 1,
): ReturnType<typeof weighVectors> {
  return weighVectors({ shape, lexical, vector, heldByBest: () => held });
}

describe('weighVectors', () => {
  it('weighs lists that agree the same', () => {
    expect(weigh(question, flat, sharp(0, 50))).toEqual({ weight: 1, why: 'agreement' });
  });

  it('gives a list that shares nothing with the other little', () => {
    expect(weigh(question, flat, sharp(100, 50)).weight).toBeLessThan(0.3);
  });

  it('gives vectors less where words have clearly found something', () => {
    const steep = list(0, 50, [20, 1]).map((entry, at) => ({ ...entry, score: 20 / (at + 1) }));
    const open = weigh(question, flat, sharp(7, 50)).weight;
    expect(weigh(question, steep, sharp(7, 50)).weight).toBeLessThan(open / 4);
  });

  it('gives vectors less where their cosines tell nothing apart', () => {
    const even = list(5, 200, [0.95, 0.93]);
    expect(weigh(question, flat, even).weight).toBeLessThan(weigh(question, flat, sharp(5, 200)).weight);
  });

  it.each([
    ['no lexical hit', [], sharp(0, 50)],
    ['few lexical hits', flat.slice(0, 9), sharp(100, 50)],
    ['a small corpus', flat, sharp(100, 19)],
  ])('weighs both the same for %s', (_, lexical, vector) => {
    expect(weigh(question, lexical, vector)).toEqual({ weight: 1, why: 'nothing_to_compare' });
  });

  it('gives vectors more the less of the query the best lexical hit holds', () => {
    const stranger = sharp(100, 50);
    expect(weigh(question, flat, stranger, 0)).toEqual({ weight: 1, why: 'words_missing' });
    expect(weigh(question, flat, stranger, 0.15).weight).toBeCloseTo(0.5);
    expect(weigh(question, flat, stranger, 0.3).why).toBe('agreement');
  });

  it('caps the weight for names from code', () => {
    const shape = { words: ['rankChunks'], identifiers: ['rankChunks'] };
    expect(weigh(shape, flat, sharp(0, 50))).toEqual({ weight: 0.25, why: 'identifiers' });
    expect(weigh(shape, flat.slice(0, 1), sharp(0, 50)).weight).toBe(0.25);
  });

  it('does not count one name among many words', () => {
    const shape = { ...question, identifiers: ['rankChunks'] };
    expect(weigh(shape, flat, sharp(0, 50)).weight).toBe(1);
  });

  it('does not cap where words find nothing', () => {
    const shape = { words: ['openBrine'], identifiers: ['openBrine'] };
    expect(weigh(shape, [], sharp(0, 50)).weight).toBe(1);
  });

  it('gives a weight above 0 and at most 1 for any two lists', () => {
    const scores = fc.array(fc.double({ min: -1, max: 30, noNaN: true }), { maxLength: 60 });
    const ranked = (all: readonly number[], first: number): readonly RankedChunk[] =>
      all.toSorted((a, b) => b - a).map((score, at) => ({ chunkId: `c${first + at}` as ChunkId, rank: at + 1, score }));
    fc.assert(
      fc.property(scores, scores, fc.nat(20), (lexical, vector, first) => {
        const { weight } = weigh(question, ranked(lexical.map(Math.abs), 0), ranked(vector, first));
        expect(weight).toBeGreaterThan(0);
        expect(weight).toBeLessThanOrEqual(1);
      }),
    );
  });
});
