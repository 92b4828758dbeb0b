import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blake3Short } from '../../src/domain/blake3.ts';
import { LineIndex } from '../../src/domain/line-index.ts';
import type { DocumentView } from '../../src/fetch/designate.ts';
import { findSimilar } from '../../src/fetch/find-similar.ts';

const view = (text: string): DocumentView => ({ text, pages: [], blocks: () => [] });

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
