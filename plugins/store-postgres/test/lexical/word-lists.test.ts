import { describe, expect, it } from 'vitest';
import { listOf, listsOf, wordId } from '../../src/lexical/word-lists.ts';

describe('the number of a word', () => {
  it('has 48 bits, and is another for each of many words', () => {
    const words = Array.from({ length: 200_000 }, (_, at) => `w${at.toString(36)} ${at % 97}`);
    const ids = words.map((word) => wordId(word));
    expect(new Set(ids).size).toBe(words.length);
    expect(ids.every((id) => Number.isSafeInteger(id) && id >= 0 && id < 2 ** 48)).toBe(true);
    expect(ids.filter((id) => id >= 2 ** 47).length / ids.length).toBeCloseTo(0.5, 1);
  });
});

describe('the lists of a word', () => {
  it.each([0, 1, 16_383, 16_384, 40_000, 5_000_000, 2 ** 29 - 1])('hold that of chunk %i', (chunk) => {
    const { high, low } = listOf(wordId('sluice'), chunk);
    const lists = listsOf('sluice', chunk);
    expect(lists.at(-1)).toBe(((BigInt(high) << 32n) + BigInt(low >>> 0)).toString());
    expect(lists).toHaveLength(Math.floor(chunk / 16_384) + 1);
    expect(new Set(lists).size).toBe(lists.length);
  });

  it('are those of no other word', () => {
    expect(listsOf('gates', 100_000).filter((list) => listsOf('gate', 100_000).includes(list))).toEqual([]);
  });
});
