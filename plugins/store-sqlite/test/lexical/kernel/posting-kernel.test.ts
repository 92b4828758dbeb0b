import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PostingKernel } from '../../../src/lexical/kernel/posting-kernel.ts';

const { renderKernel } = (await import(new URL('../../../scripts/assemble-kernel.mjs', import.meta.url).href)) as {
  readonly renderKernel: () => Promise<string>;
};

describe('the posting kernel', () => {
  it('is the assembled form of its source', async () => {
    const file = new URL('../../../src/lexical/kernel/kernel-binary.generated.ts', import.meta.url);
    expect(readFileSync(file, 'utf8')).toBe(await renderKernel());
  });

  it('allocates from the start of the memory again for each use, and grows the memory only once', () => {
    const large = new Uint8Array(300_000).fill(7);
    const used = Array.from({ length: 3 }, () =>
      PostingKernel.use((kernel) => {
        const [at, next] = [kernel.put([large, large]), kernel.put([Uint8Array.of(9)])];
        const bytes = new Uint8Array(kernel.run.memory.buffer);
        expect([bytes[at], bytes[at + 599_999], bytes[at + 600_000], bytes[next]]).toEqual([7, 7, 0, 9]);
        return { at, next, size: bytes.length };
      }),
    );
    expect(new Set(used.map(({ at, next, size }) => `${at} ${next} ${size}`)).size).toBe(1);
  });
});
