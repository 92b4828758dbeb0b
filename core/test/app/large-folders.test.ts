import { renameSync, utimesSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { IndexRefresher } from '../../src/app/index-refresher.ts';
import { OPERATIONS } from '../../src/app/operations.ts';
import { openSearcher, type SearchPorts } from '../../src/search/search-documents.ts';
import { IngestWorld } from '../ingest/ingest-world.ts';

/** More than a check compares when it has no time: the root, the folders, and some of the files. */
const NOTES = 300;
const LONG_AGO = new Date('2020-01-01T00:00:00Z');

const worlds: IngestWorld[] = [];
afterEach(() => {
  for (const world of worlds.splice(0)) world.close();
});

/** A word without digits, which would be separate words. */
const word = (i: number): string => `w${String(i).replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '')}w`;

/** Old notes in three folders, indexed, with the search of an App whose checks compare so many places. */
async function ingested(places: number) {
  const files = Object.fromEntries(
    Array.from({ length: NOTES }, (_, i) => [`d${i % 3}/n${i}.md`, `note ${word(i)}\n`] as const),
  );
  const env = { KEBAB_SEARCH_REFRESH_AFTER_MS: '0', KEBAB_SEARCH_REFRESH_BUDGET_MS: '60000' };
  const world = await IngestWorld.open({ files, env });
  worlds.push(world);
  const age = (i: number, seconds: number): void => {
    const time = new Date(LONG_AGO.getTime() + seconds * 1000);
    utimesSync(world.tree.path(`kb/d${i % 3}/n${i}.md`), time, time);
  };
  for (let i = 0; i < NOTES; i++) age(i, -i);
  await world.ingest();
  const { isolated: _, ...ports } = world.ports;
  const refresher = new IndexRefresher(
    { ...ports, extraction: async () => null, readonly: false },
    { ms: 60_000, places },
  );
  const searcher = openSearcher(world.ports as unknown as SearchPorts);
  const operation = await OPERATIONS.search.load({
    ...world.ports,
    installing: () => ({ setup: { ownPackages: {}, parts: [], formats: {} }, builtins: new Set() }),
    searcher: async () => searcher,
    mayRead: () => true,
    refresher,
  });
  const search = async (text: string) => {
    const { hits, index } = await operation({ text, mode: 'lexical' });
    return { paths: hits.map(({ doc_path }) => doc_path), states: hits.map(({ freshness }) => freshness), index };
  };
  /** Changes a file in place, which the time of its folder does not reveal. */
  const edit = (i: number, text: string): void => {
    world.put({ [`d${i % 3}/n${i}.md`]: text });
    age(i, 1);
  };
  return { world, search, edit };
}

describe('a search in a folder with more files than it has time to check', () => {
  it('finds new, renamed and deleted files at once', async () => {
    const { world, search } = await ingested(0);
    world.put({ 'd1/new.md': 'marmalade\n' });
    renameSync(world.tree.path('kb/d2/n50.md'), world.tree.path('kb/d2/other.md'));
    world.drop('d0/n51.md');
    expect(await search('marmalade')).toMatchObject({ paths: ['d1/new.md'] });
    expect(await search(word(50))).toMatchObject({ paths: ['d2/other.md'] });
    expect(await search(word(51))).toMatchObject({ paths: [] });
  });

  it('checks the files first that changed last', async () => {
    const { search, edit } = await ingested(0);
    edit(5, 'marmalade\n');
    expect(await search('marmalade')).toMatchObject({ paths: ['d2/n5.md'] });
  });

  it('reports how much was not checked, and labels a hit in a changed file', async () => {
    const { search, edit } = await ingested(0);
    edit(NOTES - 1, 'another text\n');
    const { paths, states, index } = await search(word(NOTES - 1));
    expect([paths, states]).toEqual([['d2/n299.md'], ['changed']]);
    expect(index).toMatchObject({ changed: 0, reason: 'budget' });
    expect(index?.hint).toMatch(
      /^only the 256 files and folders that changed last have been checked: kebab ingest .*kebab watch/,
    );
  });
});

describe('a search in a folder that it has time to check', () => {
  it('reports nothing when nothing has changed, and finds an edit at once', async () => {
    const { search, edit } = await ingested(NOTES + 4);
    expect(await search(word(59))).toMatchObject({ paths: ['d2/n59.md'], index: undefined });
    edit(NOTES - 1, 'marmalade\n');
    expect(await search('marmalade')).toMatchObject({ paths: ['d2/n299.md'], index: undefined });
  });
});
