import { describe, expect, it } from 'vitest';
import { foldText } from '../src/content-words.ts';
import { findFoldedQuote, findQuotations, foldedQuotation } from '../src/find-quotations.ts';

const findQuote = (passage: string, quote: string) => findFoldedQuote(foldText(passage), foldedQuotation(quote));

describe('findQuotations', () => {
  it.each<[string, readonly string[]]>([
    ['It was "1889".', ['1889']],
    ['It was “March 1889”, then ‘not so very long’ ago', ['March 1889', 'not so very long']],
    ['그것은 「서울의 봄」과 『춘향전』이다', ['서울의 봄', '춘향전']],
    ['c’était « le printemps »', ['le printemps']],
    ['"a", "b"', ['a', 'b']],
    ['„so ist es“ und „so war es”', ['so ist es', 'so war es']],
    ["it's the dogs' bone and the '80s", []],
    ["he said 'not in my name' twice", ['not in my name']],
    ["'훈련 계획'과 '구급대응 훈련'을", ['훈련 계획', '구급대응 훈련']],
    ['a 5" pipe and a 6" pipe', []],
    ['그는"안녕하세요"라고 했다', ['안녕하세요']],
    ['an open "quotation', []],
    ['"over\na line" but "not\n\na paragraph"', ['over\na line']],
    ['""', []],
  ])('finds in %j %j', (text, expected) => {
    expect(findQuotations(text).map((quotation) => quotation.text)).toEqual(expected);
  });
});

describe('findFoldedQuote', () => {
  it.each<[string, string, boolean]>([
    ['The tower was finished in March 1889.', 'March 1889', true],
    ['The tower was finished in March\n  1889.', 'March 1889', true],
    ['The tower was finished in March 1889.', 'march 1889', true],
    ['The tower was finished in March 1889.', 'tower … 1889,', true],
    ['The tower was finished in March 1889.', '1889 … tower', false],
    ['The **tower** was [finished](x.md) in March.', 'tower was finished in', true],
    ['It is ‘well–known’ — they say', "'well-known' - they", true],
    ['서울은 대한민국의\n수도이다', '대한민국의수도', true],
    ['ﬁve ㎞', 'five km', true],
    ['Built in 1950.', '195', false],
    ['It cost 1,250 francs.', '1', false],
    ['It cost 1,250 francs.', '1,250', true],
    ['It cost 1,250.', '1,250', true],
    ['the raiders', 'raid', false],
    ['raid, raiders', 'raid', true],
    ['서울은 수도이다', '서울', true],
    ['서울은 수도이다', '서울이', false],
    ['e\u0301te\u0301', 'été', true],
    ['a (b) [c] $1.00 ^', '(b) [c] $1.00', true],
    ['a.b', 'a-b', false],
    ['well-known', 'well-known', true],
    ['anything', '  ', false],
  ])('searches %j for %j: %j', (passage, quote, expected) => {
    expect(findQuote(passage, quote) !== null).toBe(expected);
  });

  it('finds the range of a quote with different white space', () => {
    expect(findQuote('one\ntwo three', 'two  three')).toEqual({ start: 4, end: 13 });
  });
});
