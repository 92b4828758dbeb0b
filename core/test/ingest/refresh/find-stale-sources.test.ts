import { appendFileSync, renameSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { DocumentStore } from '../../../src/contracts/document-store.ts';
import type { SeenScope } from '../../../src/contracts/seen-places.ts';
import { findStaleSources } from '../../../src/ingest/refresh/find-stale-sources.ts';
import { ingestChanges } from '../../../src/ingest/refresh/ingest-changes.ts';
import { worldsForTests } from '../ingest-world.ts';
import { readsAnything } from '../temporary-tree.ts';

const open = worldsForTests();

/** Ingested notes in folders of ten; and a store that counts the places it returns. */
async function ingested(notes: number) {
  const files = Object.fromEntries(
    Array.from({ length: notes }, (_, i) => [`d${i % (notes / 10)}/n${i}.md`, `note ${i}\n`]),
  );
  const world = await open({ files, ingested: true });
  const read = { places: 0, whole: 0 };
  const store: Pick<DocumentStore, 'indexedRoots' | 'seenPlaces'> = {
    indexedRoots: () => world.store.indexedRoots(),
    seenPlaces: async (sourceId: string, only?: SeenScope) => {
      const places = await world.store.seenPlaces(sourceId, only);
      read.places += places.length;
      if (only === undefined) read.whole++;
      return places;
    },
  };
  const check = async (...paths: string[]) =>
    (await findStaleSources(store, world.config, { only: new Map([['default', new Set(paths)]]) })).sources;
  const take = async (...paths: string[]) =>
    ingestChanges(world.ports, await check(...paths), { signal: new AbortController().signal, budgetMs: null });
  return { world, store, read, check, take };
}

describe('a check of the places reported to a watcher', () => {
  it.each([40, 400])(
    'reads only the records of an edited file and its directory, in a folder of %i files',
    async (notes) => {
      const { world, read, take } = await ingested(notes);
      world.put({ 'd1/n1.md': 'another text\n' });
      const { report } = await take('d1', 'd1/n1.md');
      expect(report).toMatchObject({ updated: 1, new: 0, purged: 0 });
      expect(read).toEqual({ places: 2, whole: 0 });
    },
  );

  it.each([40, 400])(
    'reads the records next to a new file, and of the directories, in a folder of %i files',
    async (notes) => {
      const { world, read, take } = await ingested(notes);
      world.put({ 'd1/new.md': 'a new text\n' });
      expect((await take('d1', 'd1/new.md')).report).toMatchObject({ updated: 0, new: 1, purged: 0 });
      expect(read).toEqual({ places: 1 + (1 + notes / 10 + 10), whole: 0 });
    },
  );

  it('compares everything when something is gone, so that what was below it goes too', async () => {
    const { world, read, take } = await ingested(40);
    renameSync(world.tree.path('kb/d1'), world.tree.path('kb/other'));
    const { report } = await take('', 'other');
    expect(report).toMatchObject({ updated: 0, new: 10, purged: 10 });
    expect(read.whole).toBeGreaterThan(0);
    expect((await world.ingest()).new).toBe(0);
  });

  it('finds nothing when nothing differs', async () => {
    const { read, check } = await ingested(40);
    expect(await check('d1', 'd1/n1.md', 'd1/never-there.md')).toEqual([]);
    expect(read.places).toBe(2);
  });
});

describe('a complete check', () => {
  it('yields to other work, and finds differences anywhere', async () => {
    const { world, store } = await ingested(1000);
    world.put({ 'd0/n0.md': 'another text\n', 'd99/n99.md': 'another text, too\n', 'd50/new.md': 'a new text\n' });
    world.drop('d70/n70.md');
    let turns = 0;
    let next = setImmediate(function turn() {
      turns++;
      next = setImmediate(turn);
    });
    const { sources, checked, isPartial } = await findStaleSources(store, world.config);
    clearImmediate(next);
    expect([sources.length, checked, isPartial]).toEqual([1, 1101, false]);
    expect(sources[0]).toMatchObject({
      files: ['d0/n0.md', 'd99/n99.md'],
      gone: ['d70/n70.md'],
      directories: ['d50', 'd70'],
      hasOtherRules: false,
    });
    expect(turns).toBeGreaterThanOrEqual(Math.floor(checked / 256));
    const everything = { signal: new AbortController().signal, budgetMs: null };
    const { report } = await ingestChanges(world.ports, sources, everything);
    expect(report).toMatchObject({ updated: 2, new: 1, purged: 1 });
    expect((await findStaleSources(store, world.config)).sources).toEqual([]);
  });
});

describe('a check with a budget', () => {
  it('finds a directory again while files in it are left because they do not fit', async () => {
    const { world, store } = await ingested(40);
    world.put({ 'd1/new.md': 'a new text\n', 'd1/long.pdf': '%PDF-1.4\n' });
    const { sources } = await findStaleSources(store, world.config);
    const budget = { signal: new AbortController().signal, budgetMs: 300 };
    expect(await ingestChanges(world.ports, sources, budget)).toMatchObject({ left: 1, reason: 'budget' });
    expect((await findStaleSources(store, world.config)).sources).toMatchObject([{ directories: ['d1'] }]);
  });

  it('stops when its time is up, and says so', async () => {
    const { world, store } = await ingested(400);
    const budget = { ms: 0, places: 1000 };
    expect(await findStaleSources(store, world.config, { budget })).toEqual({
      sources: [],
      checked: 256,
      isPartial: true,
    });
  });

  it('is complete when everything fits', async () => {
    const { world, store } = await ingested(400);
    const budget = { ms: 60_000, places: 441 };
    expect(await findStaleSources(store, world.config, { budget })).toMatchObject({ checked: 441, isPartial: false });
  });
});

describe('an unreadable file or folder', () => {
  const mayAll = readsAnything();

  async function unreadable(path: string) {
    const files = { 'a.md': 'a\n', 'b.md': 'b\n', 'sub/c.md': 'c\n', 'sub/d.md': 'd\n' };
    const world = await open({ files, ingested: true });
    world.tree.mode(`kb/${path}`, 0);
    const check = async () => (await findStaleSources(world.store, world.config)).sources;
    const take = async () =>
      ingestChanges(world.ports, await check(), { signal: new AbortController().signal, budgetMs: null });
    return { world, check, take, restore: () => world.tree.mode(`kb/${path}`, 0o755) };
  }

  it.skipIf(mayAll)('is a separate failure in an ingest, and stays indexed', async () => {
    const { world, restore } = await unreadable('sub');
    expect(await world.ingest()).toMatchObject({ errors: 1, unchanged: 2, purged: 0 });
    restore();
    expect(await world.ingest()).toMatchObject({ errors: 0, unchanged: 4, purged: 0 });
  });

  it.skipIf(mayAll).each(['sub', 'sub/c.md'])(
    'is no change while it is unreadable (%s), and one when it becomes readable',
    async (path) => {
      const { world, check, take, restore } = await unreadable(path);
      expect(await check()).toEqual([]);
      restore();
      appendFileSync(world.tree.path('kb/sub/c.md'), 'more\n');
      world.tree.mode(`kb/${path}`, 0);
      await take();
      await world.ingest();
      expect(await check()).toEqual([]);
      restore();
      expect((await take()).report).toMatchObject({ updated: 1, errors: 0 });
      expect(await check()).toEqual([]);
    },
  );

  it.skipIf(mayAll)('is ingested once it is readable, though nothing else of it changed', async () => {
    const world = await open({ files: { 'a.md': 'a\n', 'b.md': 'b\n', 'sub/c.md': 'c\n' } });
    for (const path of ['kb/b.md', 'kb/sub']) world.tree.mode(path, 0);
    expect(await world.ingest()).toMatchObject({ errors: 2, new: 1 });
    const check = async () => (await findStaleSources(world.store, world.config)).sources;
    expect(await check()).toEqual([]);
    for (const path of ['kb/b.md', 'kb/sub']) world.tree.mode(path, 0o755);
    const { report } = await ingestChanges(world.ports, await check(), {
      signal: new AbortController().signal,
      budgetMs: null,
    });
    expect(report).toMatchObject({ errors: 0, new: 2 });
    expect(await check()).toEqual([]);
  });
});
