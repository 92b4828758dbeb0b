import { describe, expect, it } from 'vitest';
import { fitEnd, fitStart, padWidth, textWidth, wrapWords } from '../../src/screen/text-width.ts';

describe('textWidth', () => {
  it.each([
    ['', 0],
    ['abc', 3],
    ['한국어', 6],
    ['한국어'.normalize('NFD'), 6],
    ['𠮷野家', 6],
    ['⚡ ok', 5],
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
  it('keeps a text that fits unchanged', () => {
    expect([fitStart('abc', 3), fitEnd('abc', 3)]).toEqual(['abc', 'abc']);
  });

  it('marks where it cut', () => {
    expect([fitStart('abcdef', 4), fitEnd('abcdef', 4)]).toEqual(['abc…', '…def']);
    expect([fitStart('한국어', 4), fitEnd('한국어', 4)]).toEqual(['한…', '…어']);
    expect([fitStart('abc', 0), fitEnd('abc', 0)]).toEqual(['', '']);
  });

  it('never splits a character', () => {
    expect(fitStart('👩‍👩‍👧xyz', 2)).toBe('…');
    expect(fitStart('👩‍👩‍👧xyz', 3)).toBe('👩‍👩‍👧…');
    expect(fitStart('𠮷𠮷𠮷', 4)).toBe('𠮷…');
  });

  it('pads by columns, not by code units', () => {
    expect(padWidth('한국', 6)).toBe('한국  ');
    expect(padWidth('longer', 3)).toBe('longer');
  });
});

describe('wrapWords', () => {
  it('wraps at spaces, and breaks only words that are too long', () => {
    expect(wrapWords('one two three', 7)).toEqual(['one two', 'three']);
    expect(wrapWords('abcdefgh ij', 3)).toEqual(['abc', 'def', 'gh', 'ij']);
    expect(wrapWords('', 3)).toEqual(['']);
  });

  it('counts the columns of wide characters', () => {
    expect(wrapWords('한국어 문서', 6)).toEqual(['한국어', '문서']);
  });
});
