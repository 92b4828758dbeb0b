import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineIndex } from '../../src/domain/span.ts';
import { linePlace } from '../../src/fetch/fetch-text.ts';

const TEXT = 'one\ntwo\n\nfour\n';

describe('linePlace', () => {
  it.each([
    { start: 1, end: 1, whole: 'one' },
    { start: 2, end: 4, whole: 'two\n\nfour' },
    { start: 2, end: 3, whole: 'two\n' },
    { start: 3, end: 3, whole: '' },
    { start: 4, end: 99, whole: 'four' },
    { start: 5, end: 9, whole: '' },
    { start: 9, end: 9, whole: '' },
  ])('returns lines $start to $end', ({ start, end, whole }) => {
    expect(linePlace(TEXT, new LineIndex(TEXT), { start, end }).whole).toBe(whole);
  });

  it('returns nothing for an empty text', () => {
    expect(linePlace('', new LineIndex(''), { start: 1, end: 1 })).toEqual({ start: 0, whole: '' });
  });

  it('returns the lines that any other program sees', () => {
    const texts = fc
      .array(fc.constantFrom('a', 'é', '😀', '\n', ' '), { maxLength: 40 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 50 }), fc.nat({ max: 50 }), (text, start, more) => {
        const pieces = text.split('\n');
        const lines = pieces.at(-1) === '' ? pieces.slice(0, -1) : pieces;
        const place = linePlace(text, new LineIndex(text), { start, end: start + more });
        expect(place.whole).toBe(lines.slice(start - 1, start + more).join('\n'));
        expect(text.slice(place.start, place.start + place.whole.length)).toBe(place.whole);
      }),
    );
  });
});
