import { startLoopbackServer, type LoopbackServer } from '@kebab/testing';
import { BUILTIN_MANIFESTS } from '@kebab/onnx-kit';
import { afterEach, describe, expect, it } from 'vitest';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { TransformersCatalog } from '../src/transformers-catalog.ts';

let server: LoopbackServer | undefined;
const folders: string[] = [];

/** A catalog with an empty folder and an empty hub on loopback. */
async function open(): Promise<TransformersCatalog> {
  const modelDir = mkdtempSync(path.join(tmpdir(), 'kebab-catalog-'));
  folders.push(modelDir);
  server = await startLoopbackServer((_request, response) => response.writeHead(404).end());
  return new TransformersCatalog({ modelDir, hub: server.url, fetch: globalThis.fetch });
}

afterEach(async () => {
  await server?.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

describe('TransformersCatalog', () => {
  it('lists every downloadable model, none of which is present yet', async () => {
    const models = await (await open()).list();
    const known = BUILTIN_MANIFESTS.filter(({ repository }) => repository !== null).map(({ id }) => id);
    expect(models.map(({ id }) => id)).toEqual(known);
    expect(models).toContainEqual({ id: 'multilingual-e5-small', role: 'embedding', present: false, bytes: null });
  });

  it('names the address if the hub does not have a model', async () => {
    await expect((await open()).pull('multilingual-e5-small')).rejects.toMatchObject({
      code: 'model_unreachable',
      details: { model: 'multilingual-e5-small', endpoint: expect.stringContaining('127.0.0.1') },
    });
  });

  it('rejects an unknown model, and a folder', async () => {
    const catalog = await open();
    await expect(catalog.pull('multilingual-e5-smal')).rejects.toMatchObject({
      code: 'invalid_input',
      details: { suggestion: 'multilingual-e5-small' },
    });
    await expect(catalog.pull('../elsewhere')).rejects.toMatchObject({ code: 'invalid_input' });
  });
});
