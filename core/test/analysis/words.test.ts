import { describe, expect, it } from 'vitest';
import { foldInPlace, foldWord } from '../../src/analysis/words.ts';

describe('foldWord', () => {
  it.each([
    ['ÉTÉ', 'ete'],
    ['e\u0301te\u0301', 'ete'],
    ['Ångström', 'angstrom'],
    ['РУССКИЙ', 'русский'],
    ['ΟΔΌΣ', 'οδός'],
    ['Straße', 'straße'],
    ['한글'.normalize('NFD'), '한글'],
    ['ε\u0301', 'έ'],
  ])('folds %s to %s', (word, folded) => {
    expect(foldWord(word)).toBe(folded);
  });
});

describe('foldInPlace', () => {
  it('folds each letter to one of the same length, so that offsets are preserved', () => {
    expect(foldInPlace('Plain TEXT')).toBe('plain text');
    expect(foldInPlace('Der ÖFFNER, İstanbul – 한국 ЖИ')).toBe('der offner, istanbul – 한국 жи');
    const text = 'ǆ ﬁ ẞ Ω 😀 É';
    expect(foldInPlace(text)).toHaveLength(text.length);
  });
});
