import { readdirSync, rmSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { removeDocument } from '../../src/ingest/remove-document.ts';
import { IngestWorld } from './ingest-world.ts';

let world: IngestWorld;
afterEach(() => world.close());

async function withKiln(): Promise<string> {
  world = await IngestWorld.open({ files: { 'a.md': 'a' } });
  await world.ingest();
  const report = await world.ingestText('about kilns', { title: 'Kiln' });
  return report.items?.[0]?.doc_path ?? '';
}

const remove = (typed: string) => removeDocument({ ...world.ports, cwd: world.root }, typed);

describe('removeDocument', () => {
  it.each<[string, (path: string, id: string) => string]>([
    ['its URI', (path) => `external:${path}`],
    ['its path', (path) => path],
    ['its id', (_, id) => id],
    ['the beginning of its id', (_, id) => id.slice(0, 8)],
  ])('removes what was brought in by hand, named by %s, and the copy', async (_name, nameOf) => {
    const path = await withKiln();
    const docId = (await world.store.findDocument('external', path))?.docId ?? '';
    const folder = `${world.config.storage.dataDir}/external`;
    expect(await remove(nameOf(path, docId))).toMatchObject({ doc_id: docId, removed_file: `${folder}/${path}` });
    expect(readdirSync(folder)).not.toContain(path);
    expect([await world.store.documentCount(), (await world.ingest()).purged]).toEqual([1, 0]);
  });

  it('removes a document whose copy is gone already', async () => {
    const path = await withKiln();
    rmSync(`${world.config.storage.dataDir}/external/${path}`);
    expect(await remove(path)).toMatchObject({ removed_file: null });
  });

  it('refuses a file of the user’s, and what is not there', async () => {
    await withKiln();
    await expect(remove('a.md')).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(remove('nothing.md')).rejects.toMatchObject({ code: 'doc_not_found' });
    expect([await world.store.documentCount(), readdirSync(world.root)]).toEqual([2, ['a.md']]);
  });
});
