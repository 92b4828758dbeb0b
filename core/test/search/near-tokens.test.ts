import editDistance from 'damerau-levenshtein';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { IndexToken, LexicalIndex } from '../../src/contracts/lexical-index.ts';
import { tokensOf } from '../../src/analysis/index-tokens.ts';
import { lettersOf, maxDistance, nearTokens } from '../../src/search/near-tokens.ts';

const indexOf = (tokens: readonly IndexToken[], readable = tokens): Pick<LexicalIndex, 'vocabulary' | 'termStats'> => ({
  vocabulary: ({ beginning = '' } = {}) =>
    Promise.resolve(tokens.filter(({ token }) => token.startsWith(beginning)).values()),
  termStats: (asked) => {
    const names = (token: string, unit: string): boolean =>
      unit.endsWith('*') ? token.startsWith(unit.slice(0, -1)) : token === unit;
    const countOf = (unit: string): number =>
      readable.reduce((sum, { token, chunks }) => sum + (names(token, unit) ? chunks : 0), 0);
    return Promise.resolve({ chunks: 100, df: asked.map(countOf) });
  },
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
    fc.asyncProperty(
      letters.map((rest) => `é${rest}`),
      tokens,
      async (typed, all) => {
        const one = { word: typed, kind: 'word', letters: lettersOf(typed) } as const;
        const stem = tokensOf(typed)[0] ?? typed;
        const sorted = (text: string): string => Array.from(text).toSorted().join('');
        const isBegun = (token: string): boolean =>
          one.letters.length > 4 && lettersOf(token).startsWith(one.letters) && lettersOf(token) !== one.letters;
        const distanceTo = (token: string): number =>
          isBegun(token)
            ? 1
            : Math.min(...[stem, one.letters].map((each) => editDistance(each, lettersOf(token)).steps));
        const isSwapped = (token: string): boolean =>
          !isBegun(token) && [stem, one.letters].some((each) => sorted(each) === sorted(lettersOf(token)));
        const expected = all
          .map(({ token, chunks }) => ({ token, chunks, distance: distanceTo(token) }))
          .filter(({ distance }) => distance <= maxDistance(one.letters) + 1)
          .toSorted(
            (a, b) =>
              a.distance - b.distance || Number(isSwapped(b.token)) - Number(isSwapped(a.token)) || b.chunks - a.chunks,
          )
          .slice(0, 6);
        expect(await nearTokens(indexOf(all), one, {})).toEqual(expected);
      },
    ),
  );
});

it.each([
  ['a wrong letter', 'qressure', 'pressure'],
  ['two letters swapped', 'rpessure', 'pressure'],
  ['a letter too many', 'xpressure', 'pressure'],
  ['a missing letter', 'ressure', 'pressure'],
  ['a slip further on', 'prexsure', 'pressure'],
  ['an end not typed', 'press', 'pressure'],
  ['a digit for a letter', '02065', 'c2065'],
  ['another vowel', '휘의', '회의'],
])('finds a word with %s at its beginning, without reading every token', async (_, typed, meant) => {
  const read: string[] = [];
  const index = indexOf(['c2065', 'pressure', 'unrelated', '회의'].map((token) => ({ token, chunks: 1 })));
  const vocabulary: LexicalIndex['vocabulary'] = async (options) => {
    const page = [...((await index.vocabulary?.(options)) ?? [])];
    read.push(...page.map(({ token }) => token));
    return page.values();
  };
  const kind = /[가-힣]/.test(typed) ? 'cjk' : 'word';
  const near = await nearTokens({ ...index, vocabulary }, { word: typed, kind, letters: lettersOf(typed) }, {});
  expect(near.map(({ token }) => token)).toContain(meant);
  expect(read).not.toContain('unrelated');
});

it('finds no tokens in an index that cannot list them', async () => {
  const { vocabulary: _, ...unlisted } = indexOf([]);
  expect(await nearTokens(unlisted, { word: 'presure', kind: 'word', letters: 'presure' }, {})).toEqual([]);
});

it('passes over tokens that only documents have which the caller may not read, however near they are', async () => {
  const secret = ['presure', 'pressare', 'prassure', 'pressura', 'pressute', 'prossure', 'pfessure'];
  const all = [...secret, 'pressers'].map((token) => ({ token, chunks: 9 }));
  const readable = [{ token: 'pressers', chunks: 2 }];
  const one = { word: 'pressur', kind: 'word', letters: 'pressur' } as const;
  expect(await nearTokens(indexOf(all, readable), one, {})).toEqual([
    { token: 'pressers', chunks: 2, distance: expect.any(Number) as number },
  ]);
});
