import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PostingKernel } from '../../../src/lexical/kernel/posting-kernel.ts';

const { renderKernel } = (await import(new URL('../../../scripts/assemble-kernel.mjs', import.meta.url).href)) as {
  readonly renderKernel: () => Promise<string>;
};

describe('the posting kernel', () => {
  it('is what its source assembles to', async () => {
    const file = new URL('../../../src/lexical/kernel/kernel-binary.generated.ts', import.meta.url);
    expect(readFileSync(file, 'utf8')).toBe(await renderKernel());
  });

  it('gives each use an empty memory, which grows for as much as is put there and stays as it is for the next use', () => {
    const large = new Uint8Array(300_000).fill(7);
    const used = Array.from({ length: 3 }, () =>
      PostingKernel.use((kernel) => {
        const [at, behind] = [kernel.put([large, large]), kernel.put([Uint8Array.of(9)])];
        const bytes = new Uint8Array(kernel.run.memory.buffer);
        expect([bytes[at], bytes[at + 599_999], bytes[at + 600_000], bytes[behind]]).toEqual([7, 7, 0, 9]);
        return { at, behind, size: bytes.length };
      }),
    );
    expect(new Set(used.map(({ at, behind, size }) => `${at} ${behind} ${size}`)).size).toBe(1);
  });
});
