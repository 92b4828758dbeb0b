import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blake3Short } from '../../src/domain/blake3.ts';
import { LineIndex } from '../../src/domain/line-index.ts';
import type { DocumentView } from '../../src/fetch/document-views.ts';
import { findSimilar, nearestFirst } from '../../src/fetch/find-moved.ts';

const view = (text: string): DocumentView => ({ text, pages: [], blocks: [] });

describe('findSimilar', () => {
  it('finds exactly the windows of lines that a plain comparison finds', () => {
    const texts = fc
      .array(fc.constantFrom('a', 'é', '😀', '\n', '\n', '\uD800'), { maxLength: 24 })
      .map((parts) => parts.join(''));
    const positive = fc.integer({ min: 1, max: 12 });
    fc.assert(
      fc.property(texts, positive, positive, positive, (text, at, from, height) => {
        const { count } = new LineIndex(text);
        const lines = text.split('\n').slice(0, count);
        const wanted = lines.slice(at - 1, at - 1 + height).join('\n');
        const others = lines
          .map((_, index) => index + 1)
          .filter((start) => start !== from && start + height - 1 <= count)
          .filter((start) => blake3Short(lines.slice(start - 1, start - 1 + height).join('\n')) === blake3Short(wanted))
          .toSorted((a, b) => Math.abs(a - from) - Math.abs(b - from) || b - a);
        const found = findSimilar(
          view(text),
          { kind: 'line', start: from, end: from + height - 1 },
          blake3Short(wanted),
        );
        const start = others[0];
        expect(found).toEqual(start === undefined ? null : { kind: 'line', start, end: start + height - 1 });
      }),
      { numRuns: 500 },
    );
  });

  it('knows no other place of regions, captions and whole documents', () => {
    const hash = blake3Short('a');
    expect(findSimilar(view('a'), null, hash)).toBeNull();
    expect(findSimilar(view('a'), { kind: 'caption' }, hash)).toBeNull();
  });
});

describe('nearestFirst', () => {
  it.each([
    [3, 5, [4, 2, 5, 1]],
    [1, 3, [2, 3]],
    [1, 1, []],
    [9, 3, [3, 2, 1]],
    [2, 0, []],
    [4, -5, []],
  ])('goes out from %i up to %i', (from, last, numbers) => {
    expect([...nearestFirst(from, last)]).toEqual(numbers);
  });

  it('gives every number but the first, ordered by distance', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.nat({ max: 40 }), (from, last) => {
        const numbers = [...nearestFirst(from, last)];
        const expected = Array.from({ length: last }, (_, at) => at + 1).filter((number) => number !== from);
        expect(numbers.toSorted((a, b) => a - b)).toEqual(expected);
        const distances = numbers.map((number) => Math.abs(number - from));
        expect(distances).toEqual(distances.toSorted((a, b) => a - b));
      }),
    );
  });
});
