import editDistance from 'damerau-levenshtein';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { IndexToken, LexicalIndex } from '../../src/contracts/lexical-index.ts';
import { tokensOf } from '../../src/relevance/query-weights.ts';
import { lettersOf, maxDistance, vocabularyOf, type VocabularyMemory } from '../../src/search/near-tokens.ts';

/** An index of given tokens that counts how often they are listed. */
function indexOf(tokens: readonly IndexToken[]): { readonly index: LexicalIndex; readonly listed: () => number } {
  let listed = 0;
  const vocabulary = (): Promise<Iterable<IndexToken>> => {
    listed++;
    return Promise.resolve(tokens.values());
  };
  return { index: { vocabulary } as LexicalIndex, listed: () => listed };
}

const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'e', 'é', 'q', '서'), minLength: 3, maxLength: 9 });
const tokens = fc
  .uniqueArray(fc.record({ token: letters, chunks: fc.integer({ min: 1, max: 3 }) }), {
    selector: ({ token }) => token,
    maxLength: 60,
  })
  .map((all) => all.toSorted((a, b) => (a.token < b.token ? -1 : 1)));

describe('the tokens that a word may have been meant for', () => {
  it('are the same as a comparison with every token finds, nearest first, ties by frequency', async () => {
    await fc.assert(
      fc.asyncProperty(letters, tokens, async (typed, all) => {
        const one = { word: typed, kind: 'word', letters: lettersOf(typed) } as const;
        const stem = tokensOf(typed)[0] ?? typed;
        const distanceTo = (token: string): number =>
          Math.min(...[stem, one.letters].map((each) => editDistance(each, lettersOf(token)).steps));
        const expected = all
          .map(({ token, chunks }) => ({ token, chunks, distance: distanceTo(token) }))
          .filter(({ distance }) => distance <= maxDistance(one.letters) + 1)
          .toSorted((a, b) => a.distance - b.distance || b.chunks - a.chunks)
          .slice(0, 6);
        const vocabulary = await vocabularyOf({ index: indexOf(all).index, revision: 1 }, {}, {});
        const found = vocabulary?.near(one).map(({ token, chunks, distance }) => ({ token, chunks, distance }));
        expect(found).toEqual(expected);
      }),
    );
  });

  it('are found at any position in a large vocabulary', async () => {
    const all = Array.from({ length: 10_000 }, (_, at) => ({ token: `${10_000 + at}`, chunks: 1 }));
    const { index } = indexOf([...all, { token: 'pressure', chunks: 2 }]);
    const vocabulary = await vocabularyOf({ index, revision: 1 }, {}, {});
    expect(vocabulary?.size).toBe(10_001);
    const near = (word: string): string | undefined =>
      vocabulary?.near({ word, kind: 'word', letters: word })[0]?.token;
    expect([near('presure'), near('14095x'), near('14096x')]).toEqual(['pressure', '14095', '14096']);
  });
});

describe('a vocabulary', () => {
  it('is read once per corpus revision', async () => {
    const { index, listed } = indexOf([{ token: 'pressure', chunks: 2 }]);
    const memory: VocabularyMemory = {};
    const first = await vocabularyOf({ index, revision: 1 }, memory, {});
    expect(await vocabularyOf({ index, revision: 1 }, memory, {})).toBe(first);
    expect(await vocabularyOf({ index, revision: 2 }, memory, {})).not.toBe(first);
    expect(listed()).toBe(2);
  });

  it('is null when an index cannot list its tokens', async () => {
    expect(await vocabularyOf({ index: {} as LexicalIndex, revision: 1 }, {}, {})).toBeNull();
  });
});
