import { describe, expect, it } from 'vitest';
import { rowBatches } from '../../src/encode/row-batches.ts';

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
