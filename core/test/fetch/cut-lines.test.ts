import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutLines } from '../../src/fetch/fetch-text.ts';

const TEXT = 'one\ntwo\n\nfour\n';

describe('cutLines', () => {
  it.each([
    { start: 1, end: 1, text: 'one', effectiveEnd: 1 },
    { start: 2, end: 4, text: 'two\n\nfour', effectiveEnd: 4 },
    { start: 2, end: 3, text: 'two\n', effectiveEnd: 3 },
    { start: 3, end: 3, text: '', effectiveEnd: 3 },
    { start: 4, end: 99, text: 'four', effectiveEnd: 4 },
    { start: 5, end: 9, text: '', effectiveEnd: 4 },
    { start: 9, end: 9, text: '', effectiveEnd: 8 },
  ])('returns lines $start to $end', ({ start, end, text, effectiveEnd }) => {
    const cut = cutLines(TEXT, { start, end, maxChars: null });
    expect(cut).toMatchObject({ text, effectiveEnd, totalLines: 4, truncated: false });
  });

  it('returns nothing for an empty text', () => {
    expect(cutLines('', { start: 1, end: 1, maxChars: null })).toMatchObject({
      text: '',
      effectiveEnd: 0,
      totalLines: 0,
    });
  });

  it.each([
    { maxChars: 0, text: '', effectiveEnd: 1 },
    { maxChars: 2, text: 'on', effectiveEnd: 1 },
    { maxChars: 4, text: 'one\n', effectiveEnd: 1 },
    { maxChars: 5, text: 'one\nt', effectiveEnd: 2 },
    { maxChars: 12, text: 'one\ntwo\n\nfou', effectiveEnd: 4 },
  ])('truncates at $maxChars characters inside a line', ({ maxChars, text, effectiveEnd }) => {
    const cut = cutLines(TEXT, { start: 1, end: 9, maxChars });
    expect(cut).toMatchObject({ text, effectiveEnd, truncated: true });
  });

  it('does not truncate with a budget that is just enough', () => {
    expect(cutLines(TEXT, { start: 1, end: 9, maxChars: 13 }).truncated).toBe(false);
  });

  it('counts characters and splits no surrogate pair', () => {
    expect(cutLines('😀😀😀', { start: 1, end: 1, maxChars: 2 }).text).toBe('😀😀');
  });

  it('returns the lines that any other program sees', () => {
    const texts = fc
      .array(fc.constantFrom('a', 'é', '😀', '\n', ' '), { maxLength: 40 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 50 }), fc.nat({ max: 50 }), (text, start, more) => {
        const pieces = text.split('\n');
        const lines = pieces.at(-1) === '' ? pieces.slice(0, -1) : pieces;
        const cut = cutLines(text, { start, end: start + more, maxChars: null });
        expect(cut.text).toBe(lines.slice(start - 1, start + more).join('\n'));
        expect(cut.totalLines).toBe(lines.length);
        expect(text.slice(cut.range.start, cut.range.end)).toBe(cut.text);
      }),
    );
  });
});
