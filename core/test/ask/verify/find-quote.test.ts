import { describe, expect, it } from 'vitest';
import { findQuote } from '../../../src/ask/verify/find-quote.ts';

describe('findQuote', () => {
  it.each<[string, string, boolean]>([
    ['The tower was finished in March 1889.', 'March 1889', true],
    ['The tower was finished in March\n  1889.', 'March 1889', true],
    ['The tower was finished in March 1889.', 'march 1889', false],
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
  ])('looks in %j for %j: %j', (passage, quote, expected) => {
    expect(findQuote(passage, quote) !== null).toBe(expected);
  });

  it('finds the range of a quote whose white space differs', () => {
    expect(findQuote('one\ntwo three', 'two  three')).toEqual({ start: 4, end: 13 });
  });
});
