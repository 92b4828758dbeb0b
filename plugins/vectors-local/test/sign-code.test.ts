import { unitVector } from '@kebab/core';
import { numbersFrom, sampleVector } from '@kebab/core/testing';
import { describe, expect, it } from 'vitest';
import { BoundKernel } from '../src/kernel/bound-kernel.ts';
import { SEGMENT_ROWS, secondBytes, signBytes, strideOf } from '../src/segment-layout.ts';
import { SecondBounds, SignCode } from '../src/sign-code.ts';

const ERROR = Math.sqrt(1 - 2 / Math.PI);
const SECOND_ERROR = 0.65;

const product = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);

/** For each vector the bounds of its product with the query, by signs and by second signs, and the standard deviations of the estimates. */
function boundsOf(
  vectors: readonly Float32Array[],
  centre: Float32Array,
  query: Float32Array,
): readonly {
  readonly first: number;
  readonly second: number;
  readonly factor: number;
  readonly secondFactor: number;
}[] {
  const dimensions = query.length;
  const code = new SignCode(dimensions, centre);
  const [signs, seconds] = [new Uint8Array(signBytes(dimensions)), new Uint8Array(secondBytes(dimensions))];
  for (const [row, vector] of vectors.entries()) code.write(vector, 1, { signs, seconds, row });
  const kernel = new BoundKernel(strideOf(dimensions));
  kernel.load(0, signs);
  const prepared = code.query(query, 2.5);
  kernel.setQuery(prepared);
  const bounds = [...kernel.bounds(0, 0).bounds];
  const nearer = new SecondBounds(prepared, 2.5);
  const factorsAt = SEGMENT_ROWS * (strideOf(dimensions) / 8);
  const parts = { bits: seconds.subarray(0, factorsAt), factors: new Float32Array(seconds.buffer, factorsAt) };
  return vectors.map((_, row) => {
    const first = bounds[row] ?? 0;
    const [factor, shift] = [kernel.factor(0, row), kernel.shift(0, row)];
    const second = nearer.bound(first, { factor, shift, seconds: parts, row });
    const secondFactor = parts.factors[row] ?? 0;
    return { first: first + prepared.base, second: second + prepared.base, factor, secondFactor };
  });
}

/** For each vector of a segment, how far its bounds are above the actual product, in standard deviations of the estimates. */
function distances(
  vectors: readonly Float32Array[],
  centre: Float32Array,
  query: Float32Array,
): readonly { readonly first: number; readonly second: number }[] {
  const length = Math.hypot(...query.map((value, at) => value - (centre[at] ?? 0)));
  return boundsOf(vectors, centre, query).map(({ first, second, factor, secondFactor }, row) => {
    const exact = product(vectors[row] ?? query, query);
    return {
      first: (first - exact) / (ERROR * factor * length),
      second: (second - exact) / (SECOND_ERROR * secondFactor * length),
    };
  });
}

/** Vectors dominated by a common direction, like those of E5. */
function concentrated(dimensions: number, count: number): readonly Float32Array[] {
  const random = numbersFrom(17);
  const common = sampleVector(dimensions, random);
  return Array.from({ length: count }, () => {
    const own = sampleVector(dimensions, random);
    return unitVector(
      own.map((value, at) => 3 * (common[at] ?? 0) + value),
      dimensions,
    );
  });
}

/** Vectors dominated by their first dimensions, like those of static models. */
function uneven(dimensions: number, count: number): readonly Float32Array[] {
  const random = numbersFrom(23);
  return Array.from({ length: count }, () =>
    unitVector(
      sampleVector(dimensions, random).map((value, at) => value / (1 + at / 8)),
      dimensions,
    ),
  );
}

describe('SignCode', () => {
  it.each([
    [
      'evenly spread vectors',
      384,
      (count: number) => Array.from({ length: count }, (_, n) => unitVector(sampleVector(384, numbersFrom(n)), 384)),
    ],
    ['concentrated vectors', 384, (count: number) => concentrated(384, count)],
    ['vectors whose first dimensions weigh most', 256, (count: number) => uneven(256, count)],
    ['such vectors of other dimensions', 384, (count: number) => uneven(384, count)],
    ['vectors of odd dimensions', 100, (count: number) => concentrated(100, count)],
  ])(
    'bounds products two and a half deviations above an estimate that is right on average: %s',
    (_, dimensions, make) => {
      const vectors = make(SEGMENT_ROWS + 20);
      const stored = vectors.slice(0, SEGMENT_ROWS);
      const centre = new Float32Array(dimensions);
      for (const vector of stored)
        for (const [at, value] of vector.entries()) centre[at] = (centre[at] ?? 0) + value / SEGMENT_ROWS;
      const all = vectors.slice(SEGMENT_ROWS).flatMap((query) => distances(stored, centre, query));
      for (const kind of ['first', 'second'] as const) {
        const values = all.map((distance) => distance[kind]);
        const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
        const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
        expect(mean, kind).toBeGreaterThan(2.4);
        expect(mean, kind).toBeLessThan(2.6);
        expect(deviation, kind).toBeLessThan(1.1);
        expect(values.filter((distance) => distance < 0).length / values.length, kind).toBeLessThan(0.012);
      }
    },
  );

  it('is exact if the vector or the query equals the centre', () => {
    const centre = unitVector(sampleVector(64, numbersFrom(3)), 64);
    const other = unitVector(sampleVector(64, numbersFrom(4)), 64);
    for (const [vector, query] of [
      [centre, other],
      [other, centre],
    ] as const) {
      const [bounds] = boundsOf([vector], centre, query);
      expect(bounds?.first).toBeCloseTo(product(centre, other), 5);
      expect(bounds?.second).toBeCloseTo(product(centre, other), 5);
    }
  });

  it('halves the error with second signs', () => {
    const vectors = Array.from({ length: 200 }, (_, n) => unitVector(sampleVector(384, numbersFrom(n)), 384));
    const query = unitVector(sampleVector(384, numbersFrom(999)), 384);
    const found = boundsOf(vectors, new Float32Array(384), query);
    const errors = (kind: 'first' | 'second'): number => {
      const above = found.map((bounds, row) => bounds[kind] - product(vectors[row] ?? query, query));
      const mean = above.reduce((sum, value) => sum + value, 0) / above.length;
      return Math.sqrt(above.reduce((sum, value) => sum + (value - mean) ** 2, 0) / above.length);
    };
    expect(errors('second') / errors('first')).toBeLessThan(0.6);
  });
});
