import { describe, expect, it } from 'vitest';
import { halfToFloat, halvesToFloats } from '../../src/encode/half-float.ts';

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
