import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { Passage, RankedChunk } from '../../src/contracts/retriever.ts';
import type { ChunkId, DocumentId } from '../../src/domain/ids.ts';
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

const question = { words: 'how is the lamp lit at night'.split(' '), identifiers: [] };

/** A list of chunks `first`, `first + 1`, … with scores decreasing evenly from `best` to `least`. */
function list(first: number, length: number, [best, least]: readonly [number, number]): readonly RankedChunk[] {
  return Array.from({ length }, (_, at) => ({
    chunkId: `c${first + at}` as ChunkId,
    rank: at + 1,
    score: best - ((best - least) * at) / Math.max(1, length - 1),
  }));
}

/** Decreases steeply within the first ten, then little. */
function sharp(first: number, length: number): readonly RankedChunk[] {
  return list(first, length, [1, 0]).map((entry, at) => ({
    ...entry,
    score: at < 10 ? 0.9 - at * 0.05 : 0.4 - at / 1e3,
  }));
}

const flat = list(0, 50, [10, 8]);

/** Weighs lists of a query whose words are all found, by default. */
function weigh(
  shape: QueryShape,
  lexical: readonly RankedChunk[],
  vector: readonly RankedChunk[],
  held = 1,
): ReturnType<typeof weighVectors> {
  return weighVectors({ shape, lexical, vector, heldByBest: async () => held });
}

describe('weighVectors', () => {
  it('weights lists that agree equally', async () => {
    expect(await weigh(question, flat, sharp(0, 50))).toEqual({ weight: 1, why: 'agreement' });
  });

  it('gives little weight to a list that shares nothing with the other', async () => {
    expect((await weigh(question, flat, sharp(100, 50))).weight).toBeLessThan(0.3);
  });

  it('gives vectors less weight when words have clearly found something', async () => {
    const steep = list(0, 50, [20, 1]).map((entry, at) => ({ ...entry, score: 20 / (at + 1) }));
    const open = (await weigh(question, flat, sharp(7, 50))).weight;
    expect((await weigh(question, steep, sharp(7, 50))).weight).toBeLessThan(open / 4);
  });

  it('gives vectors less weight when their cosines are flat', async () => {
    const even = list(5, 200, [0.95, 0.93]);
    expect((await weigh(question, flat, even)).weight).toBeLessThan(
      (await weigh(question, flat, sharp(5, 200))).weight,
    );
  });

  it.each([
    ['no lexical hit', [], sharp(0, 50)],
    ['few lexical hits', flat.slice(0, 9), sharp(100, 50)],
    ['a small corpus', flat, sharp(100, 19)],
  ])('weights both equally for %s', async (_, lexical, vector) => {
    expect(await weigh(question, lexical, vector)).toEqual({ weight: 1, why: 'nothing_to_compare' });
  });

  it('gives vectors more weight the less of the query the best lexical hit contains', async () => {
    const stranger = sharp(100, 50);
    expect(await weigh(question, flat, stranger, 0)).toEqual({ weight: 1, why: 'words_missing' });
    expect((await weigh(question, flat, stranger, 0.15)).weight).toBeCloseTo(0.5);
    expect((await weigh(question, flat, stranger, 0.3)).why).toBe('agreement');
  });

  it('caps the weight for names from code', async () => {
    const shape = { words: ['rankChunks'], identifiers: ['rankChunks'] };
    expect(await weigh(shape, flat, sharp(0, 50))).toEqual({ weight: 0.25, why: 'identifiers' });
    expect((await weigh(shape, flat.slice(0, 1), sharp(0, 50))).weight).toBe(0.25);
  });

  it('ignores a single name among many words', async () => {
    const shape = { ...question, identifiers: ['rankChunks'] };
    expect((await weigh(shape, flat, sharp(0, 50))).weight).toBe(1);
  });

  it('does not cap when words find nothing', async () => {
    const shape = { words: ['openBrine'], identifiers: ['openBrine'] };
    expect((await weigh(shape, [], sharp(0, 50))).weight).toBe(1);
  });

  it('returns a weight above 0 and at most 1 for any two lists', async () => {
    const scores = fc.array(fc.double({ min: -1, max: 30, noNaN: true }), { maxLength: 60 });
    const ranked = (all: readonly number[], first: number): readonly RankedChunk[] =>
      all.toSorted((a, b) => b - a).map((score, at) => ({ chunkId: `c${first + at}` as ChunkId, rank: at + 1, score }));
    await fc.assert(
      fc.asyncProperty(scores, scores, fc.nat(20), async (lexical, vector, first) => {
        const { weight } = await weigh(question, ranked(lexical.map(Math.abs), 0), ranked(vector, first));
        expect(weight).toBeGreaterThan(0);
        expect(weight).toBeLessThanOrEqual(1);
      }),
    );
  });
});
