import { describe, expect, it } from 'vitest';
import { quotationBefore } from '../../../src/ask/verify/quotation-before.ts';

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
