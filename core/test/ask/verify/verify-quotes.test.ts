import { describe, expect, it } from 'vitest';
import { findQuote, narrowCitation, quotationBefore } from '../../../src/ask/verify/verify-quotes.ts';
import { numbered } from '../evidence-example.ts';

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

describe('narrowCitation', () => {
  const [, second] = numbered('first', 'alpha\nbeta gamma\ndelta\nbeta');

  it.each([
    ['gamma', 'notes/a.md#L12'],
    ['gamma delta', 'notes/a.md#L12-L13'],
    ['alpha', 'notes/a.md#L11'],
    ['absent', 'notes/a.md#L11-L14'],
  ])('narrows to the lines of %j: %s', (quote, uri) => {
    if (second === undefined) throw new Error('there is no second passage');
    expect(narrowCitation(second, quote)).toBe(uri);
  });

  it('leaves a page as it is', () => {
    const [first] = numbered('words on a page');
    if (first === undefined) throw new Error('there is no passage');
    const citation = {
      schema_version: 'citation.v1',
      kind: 'page',
      path: 'a.pdf',
      uri: 'a.pdf#p=3',
      content_hash: '0123456789abcdef',
      page: 3,
      section: null,
    } as const;
    expect(narrowCitation({ ...first, citation }, 'words')).toBe('a.pdf#p=3');
  });
});

describe('quotationBefore', () => {
  it.each<[string, string | null]>([
    ['It was "1889" [#1]', '1889'],
    ['It was “March 1889”. [#1]', 'March 1889'],
    ['그것은 「서울의 봄」 [#1]', '서울의 봄'],
    ['それは『春』[#1]', '春'],
    ['c’était « le printemps » [#1]', 'le printemps'],
    ['"a", "b" [#1]', 'b'],
    ['the "so-called "Norse" raiders" [#1]', 'so-called "Norse" raiders'],
    ['("Norman" comes from "Norseman") [#1]', null],
    ['“outer “inner” outer” [#1]', 'outer “inner” outer'],
    ['It was built [#1]', null],
    ['a "quote" elsewhere [#1]', null],
    ['"" [#1]', null],
    ['" [#1]', null],
    ['[#1]', null],
    ['5" [#1]', null],
  ])('finds before the marker of %j the quotation %j', (text, expected) => {
    expect(quotationBefore(text, text.indexOf('[#1]'))).toBe(expected);
  });
});
