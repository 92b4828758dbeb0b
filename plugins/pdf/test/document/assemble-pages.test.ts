import { describe, expect, it } from 'vitest';
import { isUsable } from '../../src/document/assemble-pages.ts';

const bounds = { minPageChars: 20, minValidRatio: 0.5 };

describe('isUsable', () => {
  it.each([
    ['English', 'It is a page of words.\nIt is'],
    ['Korean', '한국어로 쓴 글도 영어와 똑같이 쓸모 있는 글이다'],
    ['Hindi, with its marks', 'यह हिन्दी में लिखा हुआ एक छोटा पृष्ठ है'],
    ['Arabic', 'هذه صفحة قصيرة مكتوبة باللغة العربية'],
    ['a table of numbers', '1.10 2.20 3.30 4.40 5.50 6.60 7.70'],
    ['formulas', '∀ε>0 ∃δ>0: |x−a|<δ ⇒ |f(x)−f(a)|<ε'],
    ['characters beyond the basic plane', '𠮷'.repeat(20)],
  ])('takes %s', (_, text) => {
    expect(isUsable(text, bounds)).toBe(true);
  });

  it.each([
    ['nothing', ''],
    ['less than the least number of characters', 'Chapter 1'],
    ['white space', ' \n'.repeat(100)],
    ['replacement characters', `${'\uFFFD'.repeat(40)} and a few words, only a few`],
    ['private characters', '\uE000\uE001\uE002 \uF0B7'.repeat(20)],
    ['unassigned and control characters', '\u0378\u0001'.repeat(40)],
  ])('refuses %s', (_, text) => {
    expect(isUsable(text, bounds)).toBe(false);
  });

  it('compares the number of usable characters, without white space, with the minimum', () => {
    expect(isUsable('a b c', { minPageChars: 3, minValidRatio: 0 })).toBe(true);
    expect(isUsable('a b c', { minPageChars: 4, minValidRatio: 0 })).toBe(false);
    expect(isUsable('ab\uFFFD\uFFFD', { minPageChars: 0, minValidRatio: 0.5 })).toBe(true);
    expect(isUsable('ab\uFFFD\uFFFD\uFFFD', { minPageChars: 0, minValidRatio: 0.5 })).toBe(false);
  });
});
