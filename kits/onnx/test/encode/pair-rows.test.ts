import { describe, expect, it } from 'vitest';
import type { PairFrame } from '../../src/encode/pair-frame.ts';
import { frameLength, pairRow, pairWindows } from '../../src/encode/pair-rows.ts';

const FRAME: PairFrame = {
  before: { ids: [101], typeIds: [0] },
  between: { ids: [102], typeIds: [0] },
  after: { ids: [102], typeIds: [1] },
  types: [0, 1],
};
const idsUpTo = (count: number): readonly number[] => Array.from({ length: count }, (_, id) => id);

describe('pairWindows', () => {
  it('leaves what fits as it is', () => {
    expect(pairWindows([1, 2], [3, 4, 5], 5)).toEqual({ parts: [[1, 2]], windows: [[3, 4, 5]] });
    expect(pairWindows([], [], 5)).toEqual({ parts: [[]], windows: [[]] });
  });

  it('gives the passage all the room that the text leaves', () => {
    const { parts, windows } = pairWindows(idsUpTo(4), idsUpTo(20), 12);
    expect(parts).toEqual([idsUpTo(4)]);
    expect(Math.max(...windows.map((window) => window.length))).toBe(8);
  });

  it('keeps a text whole up to three quarters of the room, and parts a longer one', () => {
    expect(pairWindows(idsUpTo(75), idsUpTo(100), 100).parts).toHaveLength(1);
    const { parts } = pairWindows(idsUpTo(76), idsUpTo(100), 100);
    expect(parts.map((part) => part.length)).toEqual([41, 41]);
  });

  it.each([
    [0, 0, 2],
    [1, 9, 2],
    [9, 1, 2],
    [50, 300, 10],
    [8, 8, 16],
    [300, 500, 64],
    [12, 1000, 509],
  ])('puts every token of %i and of %i into a row, and no more than %i into any', (text, passage, room) => {
    const { parts, windows } = pairWindows(idsUpTo(text), idsUpTo(passage), room);
    expect(new Set(parts.flat())).toEqual(new Set(idsUpTo(text)));
    expect(new Set(windows.flat())).toEqual(new Set(idsUpTo(passage)));
    for (const part of parts)
      for (const window of windows) expect(part.length + window.length).toBeLessThanOrEqual(room);
  });
});

describe('pairRow', () => {
  it('puts two texts into their frame, with the types of all tokens', () => {
    expect(pairRow(FRAME, [7, 8], [9])).toEqual({ ids: [101, 7, 8, 102, 9, 102], typeIds: [0, 0, 0, 0, 1, 1] });
    expect(pairRow(FRAME, [], [])).toEqual({ ids: [101, 102, 102], typeIds: [0, 0, 1] });
    expect(frameLength(FRAME)).toBe(3);
  });
});
