import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { listModels } from '../../src/folder/list-models.ts';
import { BUILTIN_MANIFESTS } from '../../src/manifest/builtin-manifests.ts';
import { tempFolders } from '../temp-folder.ts';

const newFolder = tempFolders();

describe('listModels', () => {
  it('lists every known model, and finds none in a folder that is not there', async () => {
    const models = await listModels('/nowhere/at/all');
    expect(models.map(({ id }) => id)).toEqual(BUILTIN_MANIFESTS.map(({ id }) => id));
    expect(models.every(({ present, bytes }) => !present && bytes === null)).toBe(true);
  });

  it('calls a model present when all of its files are there, and counts their bytes', async () => {
    const modelDir = newFolder();
    const [whole, half] = BUILTIN_MANIFESTS;
    for (const [manifest, files] of [
      [whole, whole?.files],
      [half, half?.files.slice(1)],
    ] as const)
      for (const file of files ?? []) {
        const target = path.join(modelDir, manifest?.id ?? '', file.path);
        mkdirSync(path.dirname(target), { recursive: true });
        writeFileSync(target, 'abcde');
      }
    const [first, second] = await listModels(modelDir);
    expect(first).toEqual({ id: whole?.id, role: 'embedding', present: true, bytes: 20 });
    expect(second).toEqual({ id: half?.id, role: 'embedding', present: false, bytes: null });
  });
});
