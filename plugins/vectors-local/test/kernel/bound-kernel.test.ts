import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BoundKernel, plainBounds } from '../../src/kernel/bound-kernel.ts';
import { wasmKernel } from '../../src/kernel/scan-kernel.ts';
import { SEGMENT_ROWS } from '../../src/segment-layout.ts';

/** Signs of a segment, with finite factors and shifts. */
function segmentOf(stride: number, seed: number): Uint8Array {
  const signs = Uint8Array.from(
    { length: SEGMENT_ROWS * (stride / 8) },
    (_, at) => Math.imul(at + seed, 2_654_435_761) >>> 24,
  );
  const numbers = Float32Array.from({ length: SEGMENT_ROWS * 2 }, (_, at) => Math.sin(at * seed));
  return Buffer.concat([signs, Buffer.from(numbers.buffer)]);
}

describe('the kernel for signs', () => {
  it('computes the same bounds as JavaScript, and which reach the floor', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 16 }).map((n) => n * 32),
        fc.integer({ min: 1, max: 1000 }),
        fc.double({ min: -2, max: 2, noNaN: true }),
        (stride, seed, floor) => {
          const tables = Uint8Array.from({ length: stride * 4 }, (_, at) => Math.imul(at * seed, 40_503) & 31);
          const query = { tables, scale: 0.013, offset: -0.7 };
          const [fast, plain] = [
            new BoundKernel(stride, (memory) => wasmKernel(memory)?.bounds ?? (() => undefined)),
            new BoundKernel(stride, plainBounds),
          ];
          const found = [fast, plain].map((kernel) => {
            kernel.load(0, segmentOf(stride, seed));
            kernel.setQuery(query);
            const { bounds, reached } = kernel.bounds(0, floor);
            return { bounds: [...bounds], reached: [...reached] };
          });
          expect(found[0]).toEqual(found[1]);
          const rows = found[0]?.bounds.map((bound, row) => bound >= Math.fround(floor) && row) ?? [];
          const bits = found[0]?.reached.flatMap((word, block) =>
            Array.from({ length: 16 }, (_, bit) => ((word >> bit) & 1) === 1 && block * 16 + bit),
          );
          expect(bits).toEqual(rows);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('keeps loaded segments when its memory grows', () => {
    const kernel = new BoundKernel(64);
    kernel.setQuery({ tables: new Uint8Array(256).fill(3), scale: 1, offset: 0.5 });
    kernel.load(0, segmentOf(64, 3));
    const before = [...kernel.bounds(0, 0).bounds];
    kernel.reserve(200);
    kernel.load(199, segmentOf(64, 7));
    expect([...kernel.bounds(0, 0).bounds]).toEqual(before);
    expect([...kernel.bounds(199, 0).bounds]).not.toEqual(before);
  });
});
