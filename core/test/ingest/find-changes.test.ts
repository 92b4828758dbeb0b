import { describe, expect, it } from 'vitest';
import { findChanges } from '../../src/ingest/find-changes.ts';
import { plainExtractor } from './plain-extractor.ts';
import { readsAnything, type TreeContent } from './temporary-tree.ts';
import { type IngestWorld, worldsForTests } from './ingest-world.ts';

const folders: unknown = expect.any(Array);
const NONE = { added: 0, changed: 0, gone: 0, unread: [], leftOut: [], unsupported: {}, folders };

const open = worldsForTests();

function refuse(text: string): void {
  if (text.includes('broken')) throw new Error('not today');
}

async function indexed(files: TreeContent): Promise<IngestWorld> {
  const world = await open({ files, ingested: true });
  return world;
}

describe('findChanges', () => {
  it('finds nothing after an ingest, even with files that an ingest skips', async () => {
    const world = await indexed({
      'a.md': 'a',
      'b.xyz': 'b',
      'bytes.md': 'c\0\0\0',
      '.gitignore': 'd.md',
      'd.md': 'd',
    });
    expect(await findChanges(world.store, world.ports)).toEqual({
      ...NONE,
      leftOut: ['bytes.md'],
      unsupported: { xyz: 1, '<no-ext>': 1 },
    });
  });

  it('counts new, changed and deleted files', async () => {
    const world = await indexed({ 'a.md': 'a', 'b.md': 'b', 'c.md': 'c', 'd.md': 'd' });
    world.put({ 'new.md': 'new', 'bytes.md': 'x\0\0\0', 'a.md': 'longer' });
    world.drop('b.md');
    world.drop('c.md');
    expect(await findChanges(world.store, world.ports)).toEqual({
      ...NONE,
      added: 1,
      changed: 1,
      gone: 2,
      leftOut: ['bytes.md'],
    });
  });

  it('does not count files skipped for their content as new, however many they are and even if that takes reading them', async () => {
    const binary = Object.fromEntries(Array.from({ length: 520 }, (_, i) => [`g${i}.ts`, `${i}\0\0\0\u0001`]));
    const key = `It signs in with ${['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_')} today.\n`; // made up
    const world = await open({
      files: { 'a.md': 'a', ...binary, 'key.md': key },
      env: { KEBAB_INDEXING_SECRETS: 'skip' },
    });
    world.tree.age(...[...Object.keys(binary), 'key.md'].map((name) => `kb/${name}`));
    expect(await world.ingest()).toMatchObject({ new: 1, skipped_binary: 520, skipped_secrets: 1 });
    const unchanged = await findChanges(world.store, world.ports);
    expect(unchanged).toMatchObject({ added: 0, changed: 0, gone: 0, unread: [] });
    expect(new Set(unchanged.leftOut)).toEqual(new Set([...Object.keys(binary), 'key.md']));
    world.put({ 'g519.ts': 'export const taken = 519;\n', 'key.md': 'none any more\n', 'new.md': 'new' });
    const later = await findChanges(world.store, world.ports);
    expect({ ...later, leftOut: later.leftOut.length }).toEqual({ ...NONE, added: 3, leftOut: 519 });
  });

  it('checks the indexed folder while another is configured', async () => {
    const world = await indexed({ 'a.md': 'a' });
    world.put({ 'new.md': 'new' });
    const other = await world.changed({ env: { KEBAB_WORKSPACE_ROOT: world.tree.root } });
    expect(await findChanges(world.store, other.ports)).toEqual({ ...NONE, added: 1 });
  });

  it('counts nothing in a folder that cannot be walked', async () => {
    const world = await indexed({ 'a.md': 'a' });
    world.tree.drop('kb');
    expect(await findChanges(world.store, world.ports)).toEqual(NONE);
  });

  it('counts a failed file only when it has changed since', async () => {
    const world = await indexed({ 'a.md': 'a', 'b.md': 'b' });
    world.put({ 'a.md': 'broken now', 'new.md': 'broken' });
    const failing = await world.changed({
      contributions: { extractor: { plain: plainExtractor({ before: refuse }) } },
    });
    expect(await failing.ingest()).toMatchObject({ errors: 2 });
    expect(await findChanges(world.store, world.ports)).toEqual(NONE);
    world.put({ 'a.md': 'changed', 'new.md': 'another' });
    expect(await findChanges(world.store, world.ports)).toEqual({ ...NONE, added: 1, changed: 1 });
  });

  it.skipIf(readsAnything())('reports what cannot be read, without counting it', async () => {
    const world = await indexed({ 'a.md': 'a', 'b.md': 'b', 'sub/c.md': 'c' });
    world.put({ 'a.md': 'longer' });
    for (const path of ['kb/a.md', 'kb/sub']) world.tree.mode(path, 0);
    await world.ingest();
    const unread = ['source "default": cannot read sub: permission denied'];
    expect(await findChanges(world.store, world.ports)).toEqual({ ...NONE, unread });
    world.tree.mode('kb/a.md', 0o644);
    expect(await findChanges(world.store, world.ports)).toEqual({ ...NONE, changed: 1, unread });
    world.tree.mode('kb/sub', 0o755);
  });
});
