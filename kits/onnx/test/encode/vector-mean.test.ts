import { describe, expect, it } from 'vitest';
import { VectorMean, halfToFloat, halvesToFloats } from '../../src/encode/vector-mean.ts';

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

describe('halfToFloat', () => {
  it.each([
    [0x0000, 0],
    [0x8000, -0],
    [0x3c00, 1],
    [0xc000, -2],
    [0x7bff, 65504],
    [0x3555, 0.333251953125],
    [0x0001, 2 ** -24],
    [0x03ff, (1023 / 1024) * 2 ** -14],
    [0x7c00, Infinity],
    [0xfc00, -Infinity],
    [0x7e00, Number.NaN],
  ])('reads %i as %d', (bits, value) => expect(halfToFloat(bits)).toBe(value));

  it('reads a list of half floats into a list of floats', () => {
    expect(halvesToFloats(Uint16Array.of(0x3c00, 0x4000))).toEqual(Float32Array.of(1, 2));
  });
});
