import { mkdtempSync, renameSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { LivingIndex } from '../../src/app/living-index.ts';
import { OPERATIONS } from '../../src/app/operations.ts';
import type { LookSize } from '../../src/ingest/refresh/look-in-turns.ts';
import { openSearcher, type SearchPorts } from '../../src/search/search-documents.ts';
import { IngestWorld } from '../ingest/ingest-world.ts';
import { openStore } from '../kb/open-store.ts';

const NOTES = 60;
/** A folder of more than ten places is large: a check compares 4 directories, 1 file, and 7 other places in turn. */
const SMALL: LookSize = { whole: 10, share: 12, newest: { directory: 4, file: 1 }, maxMs: 10_000, least: 1 };
/**
 * The number of checks until every place of {@link NOTES} notes in three folders was compared; each begins with the last place of the one
 * before.
 */
const ROUND = Math.ceil((NOTES + 4) / 6);
const LONG_AGO = new Date('2020-01-01T00:00:00Z');

const worlds: IngestWorld[] = [];
const folders: string[] = [];
afterEach(() => {
  for (const world of worlds.splice(0)) world.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** A word without digits, which would be separate words. */
const word = (i: number): string => `w${String(i).replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '')}w`;

/** Old notes in three folders, indexed, with the search of an App. */
async function ingested(size: LookSize = SMALL, database = ':memory:') {
  const files = Object.fromEntries(
    Array.from({ length: NOTES }, (_, i) => [`d${i % 3}/n${i}.md`, `note ${word(i)}\n`] as const),
  );
  const env = { KEBAB_SEARCH_REFRESH_AFTER_MS: '0', KEBAB_SEARCH_REFRESH_BUDGET_MS: '60000' };
  const world = await IngestWorld.open({ files, env, opened: await openStore(database) });
  worlds.push(world);
  for (const file of Object.keys(files)) utimesSync(world.tree.path(`kb/${file}`), LONG_AGO, LONG_AGO);
  await world.ingest();
  const { isolated: _, ...ports } = world.ports;
  const open = async () => {
    const living = new LivingIndex({ ...ports, extraction: async () => null, readonly: false }, size);
    const searcher = openSearcher(world.ports as unknown as SearchPorts);
    const search = await OPERATIONS.search.load({ searcher: async () => searcher, living });
    return async (text: string) => {
      const { hits, index } = await search({ text, mode: 'lexical' });
      return { paths: hits.map(({ doc_path }) => doc_path), states: hits.map(({ freshness }) => freshness), index };
    };
  };
  /** Changes a file in place: neither its folder nor the list of newest files reveals it. */
  const edit = (i: number, text: string): void => {
    world.put({ [`d${i % 3}/n${i}.md`]: text });
    utimesSync(world.tree.path(`kb/d${i % 3}/n${i}.md`), LONG_AGO, new Date(LONG_AGO.getTime() + 1000));
  };
  return { world, open, edit };
}

describe('a search in a folder with more files than it has time to check', () => {
  it('indexes a changed file whose hit it was about to show, and searches again', async () => {
    const { open, edit } = await ingested();
    const search = await open();
    edit(50, 'another text, without\n');
    expect(await search(word(50))).toMatchObject({ paths: [] });
    edit(51, `note ${word(51)} and marmalade\n`);
    expect(await search(word(51))).toMatchObject({ paths: ['d0/n51.md'], states: ['fresh'] });
    expect(await search('marmalade')).toMatchObject({ paths: ['d0/n51.md'] });
  });

  it('finds new, renamed and deleted files at once', async () => {
    const { world, open } = await ingested();
    const search = await open();
    world.put({ 'd1/new.md': 'marmalade\n' });
    renameSync(world.tree.path('kb/d2/n50.md'), world.tree.path('kb/d2/other.md'));
    world.drop('d0/n51.md');
    expect(await search('marmalade')).toMatchObject({ paths: ['d1/new.md'] });
    expect(await search(word(50))).toMatchObject({ paths: ['d2/other.md'] });
    expect(await search(word(51))).toMatchObject({ paths: [] });
  });

  it('reports how much was not checked, every time, and eventually checks every file', async () => {
    const { open, edit } = await ingested();
    const search = await open();
    edit(59, 'marmalade\n');
    let looks = 0;
    for (let found = false; !found && looks <= ROUND; looks++) {
      const { paths, index } = await search('marmalade');
      found = paths.length > 0;
      expect(index).toMatchObject({ changed: 0, reason: 'budget' });
      expect(index?.hint).toMatch(/^\d\d of 64 files and folders have not been checked .*kebab ingest.*kebab watch/);
    }
    expect(looks).toBeGreaterThan(1);
    expect(looks).toBeLessThanOrEqual(ROUND);
  });

  it('continues where the last process stopped', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'kebab-turns-'));
    folders.push(folder);
    const { open, edit } = await ingested(SMALL, path.join(folder, 'kebab.sqlite'));
    edit(59, 'marmalade\n');
    let looks = 0;
    for (let found = false; !found && looks <= ROUND; looks++)
      found = (await (await open())('marmalade')).paths.length > 0;
    expect(looks).toBeLessThanOrEqual(ROUND);
  });

  it('finds everything after an ingest', async () => {
    const { world, open, edit } = await ingested();
    edit(59, 'marmalade\n');
    await world.ingest();
    expect(await (await open())('marmalade')).toMatchObject({ paths: ['d2/n59.md'] });
  });

  it('checks files first that were found changed before', async () => {
    const { open, edit, world } = await ingested();
    const search = await open();
    edit(58, 'marmalade\n');
    await search(word(58));
    utimesSync(world.tree.path('kb/d1/n58.md'), LONG_AGO, new Date());
    world.put({ 'd1/n58.md': 'marmalade and salt\n' });
    expect(await search('salt')).toMatchObject({ paths: ['d1/n58.md'] });
  });
});

describe('a search in a folder that it has time to check', () => {
  it('reports nothing when nothing has changed, and finds an edit at once', async () => {
    const { open, edit } = await ingested({ ...SMALL, whole: NOTES + 4 });
    const search = await open();
    expect(await search(word(59))).toMatchObject({ paths: ['d2/n59.md'], index: undefined });
    edit(59, 'marmalade\n');
    expect(await search('marmalade')).toMatchObject({ paths: ['d2/n59.md'], index: undefined });
  });

  it('stops a check that takes too long, reports it, and continues from there', async () => {
    const { open, edit } = await ingested({ ...SMALL, whole: NOTES + 4, maxMs: 0, least: 20 });
    const search = await open();
    edit(59, 'marmalade\n');
    const paths: string[][] = [];
    for (let look = 0; look < 4; look++) paths.push((await search('marmalade')).paths);
    expect(paths[0]).toEqual([]);
    expect(paths.at(-1)).toEqual(['d2/n59.md']);
  });
});
