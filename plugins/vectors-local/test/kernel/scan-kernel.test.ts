import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readFileSync } from 'node:fs';
import { KERNEL_BINARY } from '../../src/kernel/kernel-binary.generated.ts';
import { plainScan, wasmScan, ScanKernel, wasm } from '../../src/kernel/scan-kernel.ts';

const assembler = new URL('../../scripts/assemble-kernel.mjs', import.meta.url).href;
const { assembleKernel, renderKernel } = (await import(assembler)) as {
  readonly assembleKernel: () => Uint8Array;
  readonly renderKernel: () => string;
};

describe('the kernel', () => {
  it('equals its assembled source', () => {
    expect(Buffer.from(KERNEL_BINARY, 'base64').equals(assembleKernel())).toBe(true);
    const file = new URL('../../src/kernel/kernel-binary.generated.ts', import.meta.url);
    expect(readFileSync(file, 'utf8')).toBe(renderKernel());
  });

  it('computes the same dot products as JavaScript', () => {
    const memory = new wasm.Memory({ initial: 4 });
    const scan = wasmScan(memory);
    const plain = plainScan(memory);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }).map((n) => n * 32),
        fc.integer({ min: 0, max: 9 }),
        fc.integer({ min: 0, max: 15 }),
        fc.infiniteStream(fc.integer({ min: -32_767, max: 32_767 })),
        (stride, rows, askew, numbers) => {
          const next = (): number => numbers.next().value as number;
          const codesAt = 4096 + askew;
          new Int16Array(memory.buffer, 0, stride).set(Array.from({ length: stride }, next));
          new Int8Array(memory.buffer, codesAt, rows * stride).set(
            Array.from({ length: rows * stride }, () => next() % 128),
          );
          const scores = (run: typeof plain, at: number): readonly number[] => {
            run(0, codesAt, rows, stride, at);
            return [...new Int32Array(memory.buffer, at, rows)];
          };
          expect(scan).toBeDefined();
          expect(scores(scan ?? plain, 65_536)).toEqual(scores(plain, 131_072));
        },
      ),
      { numRuns: 200 },
    );
  });

  it('does not overflow with extreme values, whatever the dimensions', () => {
    for (const stride of [32, 384, 1024, 4096]) {
      const kernel = new ScanKernel(stride);
      kernel.setQuery(new Float32Array(stride).fill(-1));
      kernel.load(0, new Uint8Array(new Int8Array(stride * 256).fill(127).buffer));
      const finest = Math.min(32_767, Math.floor((2 ** 31 - 1) / (127 * stride)));
      expect([...new Set(kernel.scores(0, 256))]).toEqual([-127 * finest * stride]);
    }
  });

  it('keeps loaded segments when its memory grows', () => {
    const kernel = new ScanKernel(32);
    const scoresOf = (segment: number): number => {
      kernel.setQuery(Float32Array.from({ length: 32 }, (_, at) => at - 16));
      return kernel.scores(segment, 256).at(17) ?? Number.NaN;
    };
    const codes = (seed: number): Uint8Array => Uint8Array.from({ length: 32 * 256 }, (_, at) => (at * seed) % 251);
    kernel.load(0, codes(3));
    const before = scoresOf(0);
    kernel.reserve(100);
    kernel.load(99, codes(7));
    expect(scoresOf(0)).toBe(before);
    expect(scoresOf(99)).not.toBe(before);
  });
});
