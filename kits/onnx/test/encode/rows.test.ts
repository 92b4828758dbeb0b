import { describe, expect, it } from 'vitest';
import { rowBatches, tokenWindows, VectorMean, halfToFloat, halvesToFloats } from '../../src/encode/rows.ts';

describe('rowBatches', () => {
  it('groups rows of similar length, longest first', () => {
    expect(rowBatches([3, 9, 4, 8], { rows: 2, tokens: 100 })).toEqual([
      [1, 3],
      [2, 0],
    ]);
  });

  it('counts padding as tokens, and never drops a row', () => {
    expect(rowBatches([10, 10, 1, 1], { rows: 4, tokens: 25 })).toEqual([
      [0, 1],
      [2, 3],
    ]);
    expect(rowBatches([900, 2, 2], { rows: 4, tokens: 100 })).toEqual([[0], [1, 2]]);
  });

  it('creates no batch without rows, and single-row batches if configured', () => {
    expect(rowBatches([], { rows: 4, tokens: 100 })).toEqual([]);
    expect(rowBatches([5, 5, 5], { rows: 1, tokens: 100 })).toEqual([[0], [1], [2]]);
  });
});

const idsTo = (count: number): number[] => Array.from({ length: count }, (_, id) => id);

describe('tokenWindows', () => {
  it('does not split ids that fit', () => {
    expect(tokenWindows(idsTo(16), 16)).toEqual([idsTo(16)]);
    expect(tokenWindows([], 16)).toEqual([[]]);
  });

  it.each([
    [17, 16],
    [100, 16],
    [1000, 510],
    [1021, 510],
    [5000, 510],
    [3, 1],
    [40, 2],
  ])('puts every one of %i ids into a window of at most %i', (count, size) => {
    const windows = tokenWindows(idsTo(count), size);
    for (const window of windows) expect(window.length).toBeLessThanOrEqual(size);
    expect([...new Set(windows.flat())].toSorted((a, b) => a - b)).toEqual(idsTo(count));
  });

  it('creates windows of about equal length that overlap the previous one by an eighth', () => {
    const windows = tokenWindows(idsTo(1000), 512);
    const lengths = windows.map(({ length }) => length);
    expect(windows).toHaveLength(3);
    expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThanOrEqual(1);
    for (const [n, window] of windows.slice(1).entries())
      expect(windows[n]?.filter((id) => window.includes(id)).length).toBeGreaterThanOrEqual(63);
  });
});

describe('VectorMean', () => {
  it('returns the normalised weighted sum', () => {
    const mean = new VectorMean(2);
    mean.add([3, 0], { weight: 1 });
    mean.add([9, 9, 0, 2], { offset: 2, weight: 2 });
    expect([...(mean.unit() ?? [])]).toEqual([expect.closeTo(0.6, 6), expect.closeTo(0.8, 6)]);
  });

  it('returns null for no vectors, vectors that cancel out, and NaN', () => {
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

  it('converts a list of half floats into a list of floats', () => {
    expect(halvesToFloats(Uint16Array.of(0x3c00, 0x4000))).toEqual(Float32Array.of(1, 2));
  });
});
