import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { contentSample } from '../../src/folder/model-files.ts';
import { tempFolders } from '../temp-folder.ts';

const newFolder = tempFolders();

async function sampleOf(bytes: Uint8Array): Promise<string> {
  const file = path.join(newFolder(), 'model.bin');
  writeFileSync(file, bytes);
  return contentSample(file);
}

describe('contentSample', () => {
  it('is the same for the same bytes elsewhere, and another for every byte of a small file', async () => {
    const bytes = new Uint8Array(5000).fill(7);
    expect(await sampleOf(bytes)).toBe(await sampleOf(bytes.slice()));
    for (const at of [0, 2500, 4999]) expect(await sampleOf(bytes.with(at, 8))).not.toBe(await sampleOf(bytes));
    expect(await sampleOf(new Uint8Array())).not.toBe(await sampleOf(new Uint8Array(1)));
  });

  it('sees the ends and the length of a large file, and a change of its numbers all over', async () => {
    const bytes = new Uint8Array(2_000_000).fill(7);
    const sample = await sampleOf(bytes);
    expect(await sampleOf(bytes.slice())).toBe(sample);
    expect(await sampleOf(bytes.with(0, 8))).not.toBe(sample);
    expect(await sampleOf(bytes.with(1_999_999, 8))).not.toBe(sample);
    expect(await sampleOf(bytes.slice(1))).not.toBe(sample);
    expect(await sampleOf(bytes.map((x, at) => (at % 20_000 === 0 ? x + 1 : x)))).not.toBe(sample);
  });
});
