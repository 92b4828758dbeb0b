import { afterEach, describe, expect, it } from 'vitest';
import { findChanges } from '../../src/ingest/find-changes.ts';
import type { TreeContent } from './temporary-tree.ts';
import { IngestWorld } from './ingest-world.ts';

const opened: { close(): void }[] = [];
afterEach(() => {
  for (const one of opened.splice(0)) one.close();
});

async function indexed(files: TreeContent): Promise<IngestWorld> {
  const world = await IngestWorld.open({ files });
  opened.push(world);
  await world.ingest();
  return world;
}

describe('findChanges', () => {
  it('finds nothing after an ingest, also beside files that an ingest leaves out', async () => {
    const world = await indexed({ 'a.md': 'a', 'b.xyz': 'b', 'c.md': 'c\0', '.gitignore': 'd.md', 'd.md': 'd' });
    expect(await findChanges(world.store, world.ports)).toEqual({ added: 0, changed: 0, gone: 0 });
  });

  it('counts files that are new, changed and gone since', async () => {
    const world = await indexed({ 'a.md': 'a', 'b.md': 'b', 'c.md': 'c', 'd.md': 'd' });
    world.put({ 'new.md': 'new', 'bytes.md': 'x\0', 'a.md': 'longer' });
    world.drop('b.md');
    world.drop('c.md');
    expect(await findChanges(world.store, world.ports)).toEqual({ added: 1, changed: 1, gone: 2 });
  });

  it('looks at the folder that was indexed while another is configured', async () => {
    const world = await indexed({ 'a.md': 'a' });
    world.put({ 'new.md': 'new' });
    const other = await world.changed({ env: { KEBAB_WORKSPACE_ROOT: world.tree.root } });
    expect(await findChanges(world.store, other.ports)).toEqual({ added: 1, changed: 0, gone: 0 });
  });

  it('counts nothing of a folder that cannot be walked', async () => {
    const world = await indexed({ 'a.md': 'a' });
    world.tree.drop('kb');
    expect(await findChanges(world.store, world.ports)).toEqual({ added: 0, changed: 0, gone: 0 });
  });
});
