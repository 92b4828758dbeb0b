import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TextSizer } from '../../src/chunking/text-sizer.ts';
import { estimateTokens, utf8Length } from '../../src/domain/text-size.ts';

describe('TextSizer', () => {
  it('measures a range of a text by its UTF-8 bytes', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.string({ unit: 'grapheme' }),
        fc.string(),
        (before, middle, after) => {
          const sizer = new TextSizer(before + middle + after);
          const range = [before.length, before.length + middle.length] as const;
          expect(sizer.bytes(...range)).toBe(utf8Length(middle));
          expect(sizer.tokens(...range)).toBe(estimateTokens(middle));
        },
      ),
    );
  });

  it('finds how far a budget reaches', () => {
    expect(new TextSizer('abcdefgh').reach(1, 8, 2)).toBe(7);
    expect(new TextSizer('abcdefgh').reach(1, 5, 2)).toBe(5);
    expect(new TextSizer('가나다라').reach(0, 4, 2)).toBe(2);
  });
});
