import { describe, expect, it } from 'vitest';
import { VectorMean } from '../../src/encode/vector-mean.ts';

describe('VectorMean', () => {
  it('gives the direction of the weighted sum at length 1', () => {
    const mean = new VectorMean(2);
    mean.add([3, 0], { weight: 1 });
    mean.add([9, 9, 0, 2], { offset: 2, weight: 2 });
    expect([...(mean.unit() ?? [])]).toEqual([expect.closeTo(0.6, 6), expect.closeTo(0.8, 6)]);
  });

  it('gives null for no vectors, vectors that cancel out, and what is no number', () => {
    expect(new VectorMean(3).unit()).toBeNull();
    const none = new VectorMean(1);
    none.add([1]);
    none.add([-1]);
    expect(none.unit()).toBeNull();
    for (const bad of [Number.NaN, Infinity]) {
      const mean = new VectorMean(2);
      mean.add([1, bad]);
      expect(mean.unit()).toBeNull();
    }
  });
});
