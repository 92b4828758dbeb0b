import { sampleWrite } from '@kebab/testing';
import { statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fileStore } from '../open-test-store.ts';
import { temporaryFolder } from '../temporary-folder.ts';

describe('reclaimSpace', () => {
  it('shrinks the file after its documents are removed', async () => {
    const folder = temporaryFolder();
    const file = folder.file('kebab.sqlite');
    const small = await sizeAfter(file, 1);
    const large = await sizeAfter(file, 400);
    expect(large).toBeGreaterThan(10 * small);
    expect(await sizeAfter(file, 1)).toBeLessThan(small + large / 50);
    folder.remove();
  });
});

/** Writes `count` documents of 10 kB, removes all others, and closes the store. */
async function sizeAfter(file: string, count: number): Promise<number> {
  const store = await fileStore(file);
  const writer = await store.openWriter({ waitMs: 0 });
  const known = await store.knownDocuments('default');
  await writer.transaction((tx) => {
    for (const { docId } of known.values()) tx.deleteDocument(docId);
    for (let i = 0; i < count; i++) tx.putDocument(sampleWrite(`${i}.md`, `line ${i} of many\n`.repeat(600)));
  });
  await writer.close();
  expect(await store.checkIntegrity()).toEqual([]);
  store.close();
  return statSync(file).size;
}
