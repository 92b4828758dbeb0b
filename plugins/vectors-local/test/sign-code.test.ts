import { unitVector } from '@kebab/core';
import { numbersFrom, sampleVector } from '@kebab/core/testing';
import { describe, expect, it } from 'vitest';
import { BoundKernel } from '../src/kernel/bound-kernel.ts';
import { SEGMENT_ROWS, signBytes, strideOf } from '../src/segment-layout.ts';
import { SignCode } from '../src/sign-code.ts';

const ERROR = Math.sqrt(1 - 2 / Math.PI);

/** For each vector of a segment how far its bound is above the product itself, in standard deviations of the estimate. */
function distances(vectors: readonly Float32Array[], centre: Float32Array, query: Float32Array): readonly number[] {
  const dimensions = query.length;
  const code = new SignCode(dimensions, centre);
  const signs = new Uint8Array(signBytes(dimensions));
  for (const [row, vector] of vectors.entries()) code.write(vector, 1, { signs, row });
  const kernel = new BoundKernel(strideOf(dimensions));
  kernel.load(0, signs);
  const prepared = code.query(query, 2.5);
  kernel.setQuery(prepared);
  const { bounds } = kernel.bounds(0, 0);
  const factors = new Float32Array(signs.buffer.slice(SEGMENT_ROWS * (strideOf(dimensions) / 8)));
  const length = Math.hypot(...query.map((value, at) => value - (centre[at] ?? 0)));
  return vectors.map((vector, row) => {
    const product = vector.reduce((sum, value, at) => sum + value * (query[at] ?? 0), 0);
    return ((bounds[row] ?? 0) + prepared.base - product) / (ERROR * (factors[row] ?? 0) * length);
  });
}

/** Vectors around a common direction, of which most of each consists: as those of E5. */
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

/** Vectors whose first dimensions hold most of them: as those of static models. */
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
      const mean = all.reduce((sum, value) => sum + value, 0) / all.length;
      const deviation = Math.sqrt(all.reduce((sum, value) => sum + (value - mean) ** 2, 0) / all.length);
      expect(mean).toBeGreaterThan(2.4);
      expect(mean).toBeLessThan(2.6);
      expect(deviation).toBeLessThan(1.1);
      expect(all.filter((distance) => distance < 0).length / all.length).toBeLessThan(0.012);
    },
  );

  it('is exact for a vector that is the centre, and for a query that is', () => {
    const centre = unitVector(sampleVector(64, numbersFrom(3)), 64);
    const other = unitVector(sampleVector(64, numbersFrom(4)), 64);
    const product = (a: Float32Array, b: Float32Array): number =>
      a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
    const boundOf = (vector: Float32Array, query: Float32Array): number => {
      const code = new SignCode(64, centre);
      const signs = new Uint8Array(signBytes(64));
      code.write(vector, 1, { signs, row: 9 });
      const kernel = new BoundKernel(64);
      kernel.load(0, signs);
      const prepared = code.query(query, 2.5);
      kernel.setQuery(prepared);
      return (kernel.bounds(0, 0).bounds[9] ?? 0) + prepared.base;
    };
    expect(boundOf(centre, other)).toBeCloseTo(product(centre, other), 5);
    expect(boundOf(other, centre)).toBeCloseTo(product(centre, other), 5);
  });
});
