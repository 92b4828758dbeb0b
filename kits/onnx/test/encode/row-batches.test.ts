import { describe, expect, it } from 'vitest';
import { rowBatches, tokenWindows } from '../../src/encode/row-batches.ts';

describe('rowBatches', () => {
  it('groups rows of like length, the longest first', () => {
    expect(rowBatches([3, 9, 4, 8], { rows: 2, tokens: 100 })).toEqual([
      [1, 3],
      [2, 0],
    ]);
  });

  it('counts padding as tokens, and never leaves a row out', () => {
    expect(rowBatches([10, 10, 1, 1], { rows: 4, tokens: 25 })).toEqual([
      [0, 1],
      [2, 3],
    ]);
    expect(rowBatches([900, 2, 2], { rows: 4, tokens: 100 })).toEqual([[0], [1, 2]]);
  });

  it('makes no batch of nothing, and takes each row alone when told', () => {
    expect(rowBatches([], { rows: 4, tokens: 100 })).toEqual([]);
    expect(rowBatches([5, 5, 5], { rows: 1, tokens: 100 })).toEqual([[0], [1], [2]]);
  });
});

const idsTo = (count: number): number[] => Array.from({ length: count }, (_, id) => id);

describe('tokenWindows', () => {
  it('leaves what fits as it is', () => {
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

  it('makes windows of about equal length that share an eighth with the one before', () => {
    const windows = tokenWindows(idsTo(1000), 512);
    const lengths = windows.map(({ length }) => length);
    expect(windows).toHaveLength(3);
    expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThanOrEqual(1);
    for (const [n, window] of windows.slice(1).entries())
      expect(windows[n]?.filter((id) => window.includes(id)).length).toBeGreaterThanOrEqual(63);
  });
});
