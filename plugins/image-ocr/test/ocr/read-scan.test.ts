import { describe, expect, it } from 'vitest';
import type { ReadLine } from '../../src/ocr/page-reading.ts';
import { textRegions } from '../../src/ocr/read-scan.ts';

const place = { width: 200, height: 100, toPicture: (box: ReadLine['box']) => box };

function line(
  text: string,
  x: number,
  y: number,
  more: { readonly h?: number; readonly w?: number; readonly confidence?: number } = {},
): ReadLine {
  const { w = 40, h = 10, confidence = 90 } = more;
  return { text: `${text}\n`, confidence, box: { x0: x, y0: y, x1: x + w, y1: y + h }, words: [{ text, confidence }] };
}

const textsOf = (confidence: number, ...columns: readonly (readonly ReadLine[])[]): readonly string[] =>
  textRegions({ confidence, columns }, place).map(({ text }) => text);

describe('the regions of a page', () => {
  it('are lines: boxes whose centres are within half a line height, left to right', () => {
    expect(textsOf(90, [line('total', 10, 20), line('9.00', 120, 23), line('cash', 10, 26)])).toEqual([
      'total 9.00',
      'cash',
    ]);
  });

  it('are ordered column by column', () => {
    expect(textsOf(90, [line('a', 0, 0), line('b', 0, 20)], [line('c', 100, 0), line('d', 100, 20)])).toEqual([
      'a',
      'b',
      'c',
      'd',
    ]);
  });

  it('keep their order if lines are vertical', () => {
    const upright = { w: 10, h: 80 };
    expect(textsOf(90, [line('one', 10, 10, upright), line('two', 30, 10, upright)])).toEqual(['one', 'two']);
  });

  it('omit meaningless text, and noise if confidence is low', () => {
    const lines = [line('— ~', 0, 0), line('fog', 0, 20, { confidence: 20 }), line('sea', 0, 40)];
    expect(textsOf(90, lines)).toEqual(['fog', 'sea']);
    expect(textsOf(40, lines)).toEqual(['sea']);
  });

  it('are inside the picture, in whole pixels, with a confidence from 0 to 1', () => {
    const box = { x0: -3.5, y0: 95.2, x1: 250, y1: 120 };
    expect(textRegions({ confidence: 90, columns: [[{ ...line('x', 0, 0), box }]] }, place)).toEqual([
      { bbox: [0, 95, 200, 5], text: 'x', confidence: 0.9 },
    ]);
  });
});
