import { renameSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { TreeContent } from './temporary-tree.ts';
import { countsOf, type IngestWorld, worldsForTests } from './ingest-world.ts';

const open = worldsForTests();

const NOTES: TreeContent = { 'a.md': 'alpha', 'b.md': 'beta', 'sub/c.md': 'gamma' };

async function indexed(files: TreeContent = NOTES, env?: Readonly<Record<string, string>>): Promise<IngestWorld> {
  const world = await open({ files, ...(env === undefined ? {} : { env }), ingested: true });
  return world;
}

async function withRoot(world: IngestWorld, root: string): Promise<IngestWorld> {
  return world.changed({ env: { KEBAB_WORKSPACE_ROOT: root } });
}

describe('an ingest whose configured root differs from the indexed one', () => {
  it('is rejected before anything changes when the folder is unrelated, with the commands that keep the index', async () => {
    const world = await indexed();
    world.tree.put({ 'other/x.md': 'else', 'other/a.md': 'another text' });
    const other = await withRoot(world, world.tree.path('other'));
    const failure: unknown = await other.ingest({ allowMassDelete: true }).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: 'config_invalid',
      message: expect.stringContaining(
        `"default" was indexed from ${world.root}; configured is ${other.root}`,
      ) as string,
      details: { key: 'workspace.root', suggestion: world.root },
    });
    const { hint } = failure as { readonly hint: string };
    expect(hint).toContain(`kebab config set workspace.root ${world.root}`);
    expect(hint).toContain(`kebab add ${other.root}`);
    expect(hint).not.toMatch(/mass-delete|reset/);
    expect((await world.store.indexedRoots()).get('default')).toBe(world.root);
    expect(countsOf(await world.ingest())).toEqual({ unchanged: 3 });
  });

  it('follows a folder that has moved, purges nothing in that run, and reports its new location', async () => {
    const world = await indexed();
    const to = world.tree.path('elsewhere');
    renameSync(world.root, to);
    world.tree.drop('elsewhere/b.md');
    const moved = await withRoot(world, to);
    const report = await moved.ingest();
    expect(countsOf(report)).toEqual({ unchanged: 2 });
    expect(report.moved).toEqual([{ source_id: 'default', from: world.root, to }]);
    expect((await world.store.indexedRoots()).get('default')).toBe(to);
    const next = await moved.ingest();
    expect([countsOf(next), next.moved]).toEqual([{ unchanged: 2, purged: 1 }, undefined]);
  });

  it('accepts the configured folder as the new location on request, and still purges nothing', async () => {
    const world = await indexed();
    world.tree.put({ 'other/x.md': 'else' });
    const other = await withRoot(world, world.tree.path('other'));
    expect(countsOf(await other.ingest({ moved: true, allowMassDelete: true }))).toEqual({ new: 1 });
    expect(await world.store.documentCount()).toBe(4);
  });

  it('keeps the index when the configured folder does not exist', async () => {
    const world = await indexed();
    const other = await withRoot(world, world.tree.path('nowhere'));
    await expect(other.ingest({ allowMassDelete: true, moved: true })).rejects.toMatchObject({ code: 'io_error' });
    expect([await world.store.documentCount(), (await world.store.indexedRoots()).get('default')]).toEqual([
      3,
      world.root,
    ]);
  });
});

describe('an ingest without a configured root', () => {
  it('continues with the folder that was indexed', async () => {
    const world = await indexed();
    world.put({ 'new.md': 'delta' });
    const plain = await world.changed({ env: { KEBAB_WORKSPACE_ROOT: undefined } });
    const report = await plain.ingest();
    expect(countsOf(report)).toEqual({ new: 1, unchanged: 3 });
    expect([report.scope.root, report.scope.sources]).toEqual([world.root, [{ id: 'default', root: world.root }]]);
  });

  it('skips the default folder when it does not exist and there are other sources', async () => {
    const world = await open({ files: NOTES });
    const sources = JSON.stringify([{ id: 'notes', root: world.root }]);
    const plain = await world.changed({ env: { KEBAB_WORKSPACE_ROOT: undefined, KEBAB_WORKSPACE_SOURCES: sources } });
    const report = await plain.ingest();
    expect(report.scope.sources).toEqual([{ id: 'notes', root: world.root }]);
    expect(report.items?.map(({ source_id }) => source_id)).toEqual(['notes', 'notes', 'notes']);
  });
});
