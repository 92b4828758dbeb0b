import { describe, expect, it } from 'vitest';
import { bigrams, isLoneCjk, splitScripts } from '../../src/analysis/cjk-run.ts';

describe('splitScripts', () => {
  it('returns text of other scripts unchanged', () => {
    const text = 'Plain “text”, текст, שלום 😀';
    expect(splitScripts(text)).toEqual({ words: text, cjk: '' });
  });

  it('removes runs from the words, and begins one token at each of their characters', () => {
    expect(splitScripts('새 API를 쓴다')).toEqual({ words: '  API   ', cjk: '새 를 쓴다 다 ' });
    expect(splitScripts('東京都庁')).toEqual({ words: ' ', cjk: '東京 京都 都庁 庁 ' });
  });

  it('never cuts a surrogate pair', () => {
    expect(splitScripts('𠮷野家𠮷').cjk).toBe('𠮷野 野家 家𠮷 𠮷 ');
  });

  it('leaves the punctuation of these scripts in the words', () => {
    expect(splitScripts('한국。日本、').words).toBe(' 。 、');
  });
});

describe('bigrams', () => {
  it('returns the pairs of adjacent characters, or a single character as it is', () => {
    expect(bigrams('한국은')).toEqual(['한국', '국은']);
    expect(bigrams('𠮷野')).toEqual(['𠮷野']);
    expect(bigrams('한')).toEqual(['한']);
    expect(bigrams('')).toEqual([]);
  });
});

describe('isLoneCjk', () => {
  it('is true for exactly one Han, Hangul or kana character', () => {
    for (const token of ['한', '京', 'カ', '𠮷', 'ー']) expect(isLoneCjk(token)).toBe(true);
    for (const token of ['', 'a', '한국', '。', '1']) expect(isLoneCjk(token)).toBe(false);
  });
});
