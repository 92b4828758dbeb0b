import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineIndex } from '../../src/domain/line-index.ts';
import { wholeLines } from '../../src/citation/whole-lines.ts';

const linesOf = (text: string, start: number, end: number): string =>
  wholeLines((from, to) => text.slice(from, to), { start, end }, text.length);

describe('wholeLines', () => {
  it.each([
    { text: 'one\ntwo\nthree', start: 5, end: 6, lines: 'two' },
    { text: 'one\ntwo\nthree', start: 5, end: 9, lines: 'two\nthree' },
    { text: 'one\ntwo\nthree\n', start: 8, end: 14, lines: 'three' },
    { text: 'one\ntwo\n', start: 0, end: 4, lines: 'one' },
    { text: 'one', start: 0, end: 3, lines: 'one' },
    { text: '', start: 0, end: 0, lines: '' },
  ])('gives $lines for [$start, $end) of $text', ({ text, start, end, lines }) => {
    expect(linesOf(text, start, end)).toBe(lines);
  });

  it('finds the ends of lines longer than it first reads', () => {
    const long = 'x'.repeat(10_000);
    expect(linesOf(`a\n${long}\nb`, 5000, 5001)).toBe(long);
  });

  it('agrees with the lines that a line index counts', () => {
    const texts = fc
      .array(fc.constantFrom('a', 'é', '😀', '\n', ' '), { minLength: 1, maxLength: 60 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(texts, fc.nat(), fc.nat(), (text, a, b) => {
        const start = a % text.length;
        const end = start + 1 + (b % (text.length - start));
        const { start: first, end: last } = new LineIndex(text).linesOf(start, end);
        expect(linesOf(text, start, end)).toBe(
          text
            .split('\n')
            .slice(first - 1, last)
            .join('\n'),
        );
      }),
    );
  });
});
