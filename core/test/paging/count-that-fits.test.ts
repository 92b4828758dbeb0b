import { describe, expect, it } from 'vitest';
import { countThatFits } from '../../src/paging/count-that-fits.ts';

describe('countThatFits', () => {
  it.each([
    { sizes: [], budget: 0, count: 0 },
    { sizes: [50], budget: 0, count: 1 },
    { sizes: [10, 10, 10], budget: 42, count: 3 },
    { sizes: [10, 10, 10], budget: 41, count: 2 },
    { sizes: [10, 10, 10], budget: 31, count: 2 },
    { sizes: [10, 10, 10], budget: 30, count: 1 },
  ])('keeps $count of $sizes in $budget around 10', ({ sizes, budget, count }) => {
    expect(countThatFits({ sizes, budget, sizeAround: () => 10 })).toBe(count);
  });

  it('asks for the size around exactly as many', () => {
    const sizeAround = (count: number): number => (count === 3 ? 1000 : 0);
    expect(countThatFits({ sizes: [1, 1, 1], budget: 100, sizeAround })).toBe(2);
  });
});
