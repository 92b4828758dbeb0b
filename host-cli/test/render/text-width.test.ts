import { describe, expect, it } from 'vitest';
import { fitEnd, fitStart, padWidth, takeWidth, textWidth } from '../../src/render/text-width.ts';

describe('textWidth', () => {
  it.each([
    ['', 0],
    ['abc', 3],
    ['한국어', 6],
    ['日本語。', 8],
    ['é', 1],
    ['e\u0301', 1],
    ['👩‍👩‍👧', 2],
    ['✓ ok', 4],
    ['ｱ', 1],
    ['Ａ', 2],
  ])('gives %j %i columns', (text, width) => {
    expect(textWidth(text)).toBe(width);
  });
});

describe('cutting to a width', () => {
  it('keeps what fits as it is', () => {
    expect([fitStart('abc', 3), fitEnd('abc', 3)]).toEqual(['abc', 'abc']);
  });

  it('marks where it cut', () => {
    expect([fitStart('abcdef', 4), fitEnd('abcdef', 4)]).toEqual(['abc…', '…def']);
    expect([fitStart('한국어', 4), fitEnd('한국어', 4)]).toEqual(['한…', '…어']);
    expect([fitStart('abc', 0), fitEnd('abc', 0)]).toEqual(['', '']);
  });

  it('never takes half of a character', () => {
    expect(takeWidth('👩‍👩‍👧x', 1)).toBe('');
    expect(takeWidth('👩‍👩‍👧x', 2)).toBe('👩‍👩‍👧');
  });

  it('pads by columns, not by code units', () => {
    expect(padWidth('한국', 6)).toBe('한국  ');
    expect(padWidth('longer', 3)).toBe('longer');
  });
});
