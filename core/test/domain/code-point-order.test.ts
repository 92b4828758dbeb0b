import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareCodePoints } from '../../src/domain/code-point-order.ts';

const codePoints = (text: string): readonly number[] => Array.from(text, (char) => char.codePointAt(0) ?? 0);

function byDefinition(a: string, b: string): number {
  const [x, y] = [codePoints(a), codePoints(b)];
  for (let i = 0; i < Math.min(x.length, y.length); i++) if (x[i] !== y[i]) return (x[i] ?? 0) - (y[i] ?? 0);
  return x.length - y.length;
}

describe('compareCodePoints', () => {
  it('sorts characters beyond U+FFFF after all others', () => {
    expect(['😀', '\uFB01', 'z', 'a'].toSorted(compareCodePoints)).toEqual(['a', 'z', '\uFB01', '😀']);
  });

  it('agrees with a comparison of code points', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '/', '\uD7FF', '\uE000', '\uFFFD', '😀', '𐀀', '한') });
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(Math.sign(compareCodePoints(a, b))).toBe(Math.sign(byDefinition(a, b)));
      }),
    );
  });
});
