import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bootstrapInterval } from '../../../src/eval/compare/bootstrap-interval.ts';

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

describe('the bootstrap interval', () => {
  it.each([[[]], [[0.5]]])('is null for %j: too few pairs to vary', (deltas) => {
    expect(bootstrapInterval(deltas)).toBeNull();
  });

  it('is a point when every pair differs by the same', () => {
    expect(bootstrapInterval([0.25, 0.25, 0.25])).toEqual([0.25, 0.25]);
  });

  it('is the same each time', () => {
    const deltas = [0, 1, -1, 0.5, 0.25];
    expect(bootstrapInterval(deltas)).toEqual(bootstrapInterval(deltas));
  });

  it('is about as wide as that of a normal distribution for many pairs', () => {
    const deltas = Array.from({ length: 400 }, (_, at) => (at % 2 === 0 ? 1 : -1));
    const [low, high] = bootstrapInterval(deltas) ?? [0, 0];
    const half = 1.96 / Math.sqrt(deltas.length);
    expect(low).toBeGreaterThan(-half * 1.15);
    expect(low).toBeLessThan(-half * 0.85);
    expect(high).toBeGreaterThan(half * 0.85);
    expect(high).toBeLessThan(half * 1.15);
  });

  it('holds the mean and lies within the range of the differences', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -4, max: 4 }), { minLength: 8, maxLength: 20 }), (deltas) => {
        const [low, high] = bootstrapInterval(deltas) ?? [NaN, NaN];
        expect(low).toBeGreaterThanOrEqual(Math.min(...deltas));
        expect(high).toBeLessThanOrEqual(Math.max(...deltas));
        expect(low).toBeLessThanOrEqual(mean(deltas) + 1e-9);
        expect(high).toBeGreaterThanOrEqual(mean(deltas) - 1e-9);
      }),
      { numRuns: 30 },
    );
  });
});
