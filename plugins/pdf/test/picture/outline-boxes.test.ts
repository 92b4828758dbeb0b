import { describe, expect, it } from 'vitest';
import { framesOf, wordBoxes, type PlacedPiece } from '../../src/picture/outline-boxes.ts';

/** Pieces of ten characters each, one per line unless a line is given. */
function pieces(...boxes: readonly (readonly [x0: number, y0: number, x1: number, y1: number, line?: number])[]) {
  return boxes.map(([x0, y0, x1, y1, line], at): PlacedPiece => {
    const box = { x0, y0, x1, y1 };
    return { start: at * 11, end: at * 11 + 10, text: 'abcdefghij', line: line ?? at, turn: 0, rtl: false, box };
  });
}

describe('the frames of a range', () => {
  it('join the labels of a figure and the lines below it', () => {
    const figure = pieces(
      [10, 10, 20, 18],
      [60, 8, 90, 16, 0],
      [40, 40, 50, 48],
      [10, 90, 200, 100],
      [10, 102, 200, 112],
    );
    expect(framesOf(figure, { start: 0, end: 99 })).toEqual([{ x0: 10, y0: 8, x1: 200, y1: 112 }]);
  });

  it('are one per column if a line between them is not in the range', () => {
    const columns = pieces([0, 0, 90, 10], [0, 12, 90, 22], [110, 0, 200, 10], [110, 12, 200, 22]);
    expect(framesOf(columns, { start: 11, end: 30 })).toEqual([
      { x0: 0, y0: 12, x1: 90, y1: 22 },
      { x0: 110, y0: 0, x1: 200, y1: 10 },
    ]);
  });

  it('are not extended over a large part of the page', () => {
    const far = pieces([0, 0, 90, 10], [0, 300, 90, 310]);
    expect(framesOf(far, { start: 0, end: 99 })).toHaveLength(2);
  });
});

describe('the box of a word', () => {
  it('is the part of its line that its letters cover', () => {
    const line = pieces([0, 0, 100, 10]).map((piece) => ({ ...piece, text: 'aaaaa bbbb' }));
    const [box] = wordBoxes(line, [{ start: 0, end: 5 }]);
    expect(box).toEqual({ x0: 0, y0: 0, x1: expect.closeTo(52.4, 1) as number, y1: 10 });
  });

  it('is on the other side in right-to-left text', () => {
    const line = pieces([0, 0, 100, 10]).map((piece) => ({ ...piece, text: 'aaaaaaaaaa', rtl: true }));
    const [box] = wordBoxes(line, [{ start: 0, end: 2 }]);
    expect(box).toEqual({ x0: expect.closeTo(80) as number, y0: 0, x1: 100, y1: 10 });
  });
});
