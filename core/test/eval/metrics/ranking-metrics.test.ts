import { describe, expect, it } from 'vitest';
import {
  firstRelevantRank,
  hitAt,
  ndcgAt,
  precisionAt,
  recallAt,
  reciprocalRank,
  type Ranking,
} from '../../../src/eval/metrics/ranking-metrics.ts';

/** A list of single letters; capitals are expected, and so is what stands behind the bar. */
function ranking(text: string): Ranking {
  const [list = '', missing = ''] = text.split('|');
  const ranked = [...list];
  return { ranked, expected: new Set([...ranked.filter((item) => item !== item.toLowerCase()), ...missing]) };
}

const twelfth = 'abcdefghijkL';
const log2 = Math.log2;

describe('metrics of a ranked list', () => {
  it.each([
    ['Abc', 1],
    ['abC', 3],
    ['aBC', 2],
    ['abc|Z', null],
    ['|Z', null],
    [twelfth, 12],
  ])('%s has its first expected item at rank %s', (text, rank) => {
    expect(firstRelevantRank(ranking(text))).toBe(rank);
  });

  it.each([
    ['Abc', 1, 1],
    ['abC', 1, 0],
    ['abC', 3, 1],
    ['abcD', 3, 0],
    ['ab|Z', 10, 0],
    ['|Z', 1, 0],
    [twelfth, 10, 0],
  ])('hit of %s at %i is %i', (text, k, expected) => {
    expect(hitAt(ranking(text), k)).toBe(expected);
  });

  it.each([
    ['Abc', 1],
    ['aBC', 1 / 2],
    ['abcdefghiJ', 1 / 10],
    [twelfth, 0],
    ['abc|Z', 0],
  ])('reciprocal rank of %s is %f', (text, expected) => {
    expect(reciprocalRank(ranking(text))).toBe(expected);
  });

  it.each([
    ['AbC', 1, 1 / 2],
    ['AbC', 3, 1],
    ['AbC|Z', 3, 2 / 3],
    ['abc|Z', 10, 0],
    ['|YZ', 5, 0],
  ])('recall of %s at %i is %f', (text, k, expected) => {
    expect(recallAt(ranking(text), k)).toBe(expected);
  });

  it.each([
    ['Abc', 1, 1],
    ['AbC', 3, 2 / 3],
    ['A', 5, 1 / 5],
    ['AB', 10, 2 / 10],
    ['|Z', 3, 0],
  ])('precision of %s at %i is %f, however short the list', (text, k, expected) => {
    expect(precisionAt(ranking(text), k)).toBe(expected);
  });

  it.each([
    ['Abc', 1, 1],
    ['aBc', 1, 0],
    ['aBc', 3, 1 / log2(3)],
    ['AB', 3, 1],
    ['A|Z', 3, 1 / (1 + 1 / log2(3))],
    ['aBC', 3, (1 / log2(3) + 1 / log2(4)) / (1 + 1 / log2(3))],
    ['abC|YZ', 1, 0],
    ['Abc|XYZ', 1, 1],
    ['|Z', 10, 0],
  ])('nDCG of %s at %i is %f', (text, k, expected) => {
    expect(ndcgAt(ranking(text), k)).toBeCloseTo(expected, 12);
  });
});
