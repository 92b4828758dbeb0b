import editDistance from 'damerau-levenshtein';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { IndexToken, LexicalIndex } from '../../src/contracts/lexical-index.ts';
import { tokensOf } from '../../src/relevance/query-weights.ts';
import { lettersOf, maxDistance, nearTokens } from '../../src/search/near-tokens.ts';

const indexOf = (tokens: readonly IndexToken[]): Pick<LexicalIndex, 'vocabulary'> => ({
  vocabulary: () => Promise.resolve(tokens.values()),
});

const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'e', 'é', 'q', '서'), minLength: 3, maxLength: 9 });
const tokens = fc
  .uniqueArray(fc.record({ token: letters, chunks: fc.integer({ min: 1, max: 3 }) }), {
    selector: ({ token }) => token,
    maxLength: 60,
  })
  .map((all) => all.toSorted((a, b) => (a.token < b.token ? -1 : 1)));

it('finds the tokens that a word may have been meant for, nearest first, ties by frequency', async () => {
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
      expect(await nearTokens(indexOf(all), [one], {})).toEqual([expected]);
    }),
  );
});

it('finds no tokens in an index that cannot list them', async () => {
  expect(await nearTokens({}, [{ word: 'presure', kind: 'word', letters: 'presure' }], {})).toBeNull();
});
