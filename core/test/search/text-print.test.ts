import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TextPrint } from '../../src/search/text-print.ts';

const words = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `word${at}`);

describe('TextPrint', () => {
  it.each([
    ['The lamp, lit at night.', 5],
    ['서울의 날씨는', 2],
    ['東京の天気', 5],
    ['naïve café', 2],
    ['--- …', 0],
    ['', 0],
  ])('counts the words of %j: %i', (text, count) => {
    expect(new TextPrint(text).words).toBe(count);
  });

  it('finds every text the same as itself', () => {
    fc.assert(fc.property(fc.string(), (text) => new TextPrint(text).isNearly(new TextPrint(text))));
  });

  it('finds the same whichever of two texts is asked', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 40 }).map((all) => all.join(' '));
    fc.assert(
      fc.property(text, text, (one, other) => {
        const [a, b] = [new TextPrint(one), new TextPrint(other)];
        expect(a.isNearly(b)).toBe(b.isNearly(a));
      }),
    );
  });

  it('draws the line at a tenth of all runs of four words', () => {
    const text = words(200);
    const cut = (count: number): TextPrint => new TextPrint(text.slice(0, text.length - count).join(' '));
    expect(cut(0).isNearly(cut(15))).toBe(true);
    expect(cut(0).isNearly(cut(25))).toBe(false);
  });
});
