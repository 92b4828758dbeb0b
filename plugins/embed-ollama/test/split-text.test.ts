import { describe, expect, it } from 'vitest';
import { splitText } from '../src/split-text.ts';

describe('splitText', () => {
  it('splits a text that is too long at white space', () => {
    expect(splitText('one two three four', 2)).toEqual(['one two', 'three four']);
  });

  it.each([
    ['words', 'the quick brown fox jumps over the lazy dog '.repeat(20), 7],
    ['no white space', '가나다라마바사'.repeat(50), 5],
    ['astral characters', '😀'.repeat(101), 4],
    ['a long word among short ones', `a b ${'x'.repeat(500)} c d`, 6],
    ['more pieces than characters', 'abc', 9],
  ])('keeps every character of %s, in order and whole', (_, text, count) => {
    const pieces = splitText(text, count);
    expect(pieces.join('').replaceAll(/\s/g, '')).toBe(text.replaceAll(/\s/g, ''));
    for (const piece of pieces) {
      expect(piece).not.toMatch(/^\s|\s$|^$/);
      expect(piece).not.toMatch(/[\ud800-\udbff]$|^[\udc00-\udfff]/);
    }
  });

  it('makes pieces of about equal length', () => {
    const lengths = splitText('word '.repeat(1000), 10).map(({ length }) => length);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(510);
    expect(lengths).toHaveLength(10);
  });

  it('never splits a single character', () => {
    expect(splitText('😀', 2)).toEqual(['😀']);
  });
});
