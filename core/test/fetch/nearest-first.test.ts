import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nearestFirst } from '../../src/fetch/nearest-first.ts';

describe('nearestFirst', () => {
  it.each([
    [3, 5, [4, 2, 5, 1]],
    [1, 3, [2, 3]],
    [1, 1, []],
    [9, 3, [3, 2, 1]],
    [2, 0, []],
    [4, -5, []],
  ])('goes out from %i up to %i', (from, last, numbers) => {
    expect([...nearestFirst(from, last)]).toEqual(numbers);
  });

  it('gives every number but the first, ordered by distance', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.nat({ max: 40 }), (from, last) => {
        const numbers = [...nearestFirst(from, last)];
        const expected = Array.from({ length: last }, (_, at) => at + 1).filter((number) => number !== from);
        expect(numbers.toSorted((a, b) => a - b)).toEqual(expected);
        const distances = numbers.map((number) => Math.abs(number - from));
        expect(distances).toEqual(distances.toSorted((a, b) => a - b));
      }),
    );
  });
});
