import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quantize } from '../src/quantize.ts';

const numbers = fc.float({ min: -1, max: 1, noNaN: true });

describe('quantize', () => {
  it('stays within half a scale of every number, and fills the rest with zeros', () => {
    fc.assert(
      fc.property(
        fc.array(numbers, { minLength: 1, maxLength: 50 }).filter((all) => all.some((x) => Math.abs(x) > 1e-30)),
        (all) => {
          const vector = Float32Array.from(all);
          const codes = new Int8Array(64).fill(99);
          const scale = quantize(vector, codes);
          for (const [at, x] of vector.entries())
            expect(Math.abs((codes.at(at) ?? 0) * scale - x)).toBeLessThanOrEqual(scale * 0.501);
          expect(codes.subarray(all.length).every((code) => code === 0)).toBe(true);
        },
      ),
    );
  });
});
