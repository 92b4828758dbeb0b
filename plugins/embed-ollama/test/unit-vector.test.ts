import { describe, expect, it } from 'vitest';
import { unitVector, weightedMean } from '../src/unit-vector.ts';

describe('unitVector', () => {
  it('scales a vector to length one and keeps its direction', () => {
    expect(unitVector([3, 0, 4])).toEqual(Float32Array.of(0.6, 0, 0.8));
  });

  it.each([[[0, 0]], [[1, Number.NaN]], [[1, Infinity]], [[1, null]], [['1', 2]], [[]]])(
    'is null for %j',
    (numbers) => {
      expect(unitVector(numbers)).toBeNull();
    },
  );
});

describe('weightedMean', () => {
  it('lies nearer to what is heavier', () => {
    const mean = weightedMean([
      { vector: Float32Array.of(1, 0), weight: 3 },
      { vector: Float32Array.of(0, 1), weight: 4 },
    ]);
    expect(mean).toEqual(Float32Array.of(0.6, 0.8));
  });

  it('is null for nothing, and for what cancels itself out', () => {
    expect(weightedMean([])).toBeNull();
    const opposite = [1, -1].map((number) => ({ vector: Float32Array.of(number), weight: 1 }));
    expect(weightedMean(opposite)).toBeNull();
  });
});
