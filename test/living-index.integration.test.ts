import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { App, SearchResponse } from '@kebab/core/app';
import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EditedFolder, editScripts } from './edit-scripts.ts';
import { UserHome } from './user-home.ts';

let home: UserHome;
beforeEach(() => {
  home = new UserHome();
});
afterEach(() => home.remove());

type Settings = Readonly<Record<string, string>>;

/** Lexical only, a scan before every search, and no time limit. */
const EAGER: Settings = {
  KEBAB_SEARCH_REFRESH_AFTER_MS: '0',
  KEBAB_SEARCH_REFRESH_BUDGET_MS: '60000',
};

const openOver = (root: string, data: string, settings: Settings = {}): Promise<App> =>
  home.open({ KEBAB_WORKSPACE_ROOT: root, KEBAB_STORAGE_DATA_DIR: data, ...EAGER, ...settings });

/** A folder with some notes in it, and an App that has ingested them. */
async function openIngested(settings: Settings = {}) {
  const root = home.at('kb');
  for (let i = 0; i < 8; i++) put(root, { [`notes/n${i}.md`]: `# Note ${i}\n\nabout sourdough number ${i}\n` });
  const data = home.at('data');
  const app = await openOver(root, data, settings);
  await app.ingest();
  return { root, data, app, search: (text: string) => app.search({ text }) };
}

/** Writes files with modification times in the past, like files that nobody is writing at the moment. */
function put(root: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(root, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    const at = Date.now() / 1000 - 10 + (++writes % 1000) / 1000;
    utimesSync(file, at, at);
  }
}

let writes = 0;

/** The paths of the hits, and of the copies and links that count as one with them. */
function pathsOf({ hits }: SearchResponse): readonly string[] {
  return hits.flatMap(({ doc_path, also_at: copies = [] }) => [doc_path, ...copies]);
}

describe('a search after files have changed', () => {
  it('finds files created and edited since the ingest, and no longer finds removed ones', async () => {
    const { root, search } = await openIngested();
    put(root, { 'notes/n1.md': 'now about quaternions\n', 'deep/er/new.md': 'quaternions in a new folder\n' });
    rmSync(path.join(root, 'notes/n2.md'));
    const found = await search('quaternions');
    expect(pathsOf(found).toSorted()).toEqual(['deep/er/new.md', 'notes/n1.md']);
    expect(found.index).toBeUndefined();
    expect(pathsOf(await search('sourdough')).toSorted()).toEqual([0, 3, 4, 5, 6, 7].map((i) => `notes/n${i}.md`));
  });

  it('ingests no more than the budget allows, and says how many files are left', async () => {
    const { root, app, search } = await openIngested({ KEBAB_SEARCH_REFRESH_BUDGET_MS: '0' });
    put(root, { 'notes/n1.md': 'quaternions\n', 'new.md': 'more quaternions\n' });
    expect(await search('quaternions')).toMatchObject({
      hits: [],
      index: { changed: 2, refreshed: 0, reason: 'budget', hint: 'kebab ingest' },
    });
    await app.ingest();
    expect(await search('quaternions')).toMatchObject({ hits: [{}, {}] });
  });

  it('ingests the most recently saved files when not all fit the budget', async () => {
    const { root, search } = await openIngested({ KEBAB_SEARCH_REFRESH_BUDGET_MS: '1' });
    for (let i = 0; i < 8; i++) put(root, { [`notes/n${i}.md`]: `quaternions ${i}\n` });
    const { hits, index } = await search('quaternions');
    expect([index?.reason, (index?.changed ?? 0) >= 7]).toEqual(['budget', true]);
    expect(hits.every(({ doc_path }) => doc_path === 'notes/n7.md')).toBe(true);
  });

  it('does not update the index when the call or the configuration says so', async () => {
    const { root, data, app } = await openIngested();
    put(root, { 'new.md': 'quaternions\n' });
    expect((await app.search({ text: 'quaternions' }, { refresh: false })).hits).toEqual([]);
    const off = await openOver(root, data, { KEBAB_SEARCH_REFRESH: 'off' });
    expect((await off.search({ text: 'quaternions' })).hits).toEqual([]);
    const readonly = await openOver(root, data, { KEBAB_READONLY: '1' });
    expect((await readonly.search({ text: 'quaternions' })).hits).toEqual([]);
    expect((await app.search({ text: 'quaternions' })).hits).toHaveLength(1);
  });

  it('does not scan again within a moment', async () => {
    const { root, search } = await openIngested({ KEBAB_SEARCH_REFRESH_AFTER_MS: '3600000' });
    expect((await search('quaternions')).hits).toEqual([]);
    put(root, { 'new.md': 'quaternions\n' });
    expect((await search('quaternions')).hits).toEqual([]);
  });

  it('does not wait for another writer, and says so', async () => {
    const { root, data, app, search } = await openIngested();
    put(root, { 'new.md': 'quaternions\n' });
    const lock = readdirSync(data).find((name) => name.includes('lock') && name.endsWith('.sqlite'));
    const writer = new Sqlite(path.join(data, lock ?? ''), { fileMustExist: true });
    writer.exec('BEGIN EXCLUSIVE');
    expect(await search('quaternions')).toMatchObject({ hits: [], index: { refreshed: 0, reason: 'locked' } });
    writer.close();
    expect((await app.search({ text: 'quaternions' })).index).toBeUndefined();
  });

  it('keeps the documents of a folder that is suddenly empty, and says so', async () => {
    const { root, search } = await openIngested();
    renameSync(path.join(root, 'notes'), path.join(root, '..', 'elsewhere'));
    const { hits, index } = await search('sourdough');
    expect([hits.length, index]).toMatchObject([8, { changed: 8, refreshed: 0, reason: 'mass_delete' }]);
    renameSync(path.join(root, '..', 'elsewhere'), path.join(root, 'notes'));
    const back = await search('sourdough');
    expect([back.hits.length, back.index]).toEqual([8, undefined]);
  });

  it('reads a link again that points to another file, even one of the same size and time', async () => {
    const { root, app, search } = await openIngested();
    put(root, { 'a.md': 'about quaternions\n', 'b.md': 'about sedenions!!\n' });
    const at = new Date(Date.now() - 5000);
    for (const name of ['a.md', 'b.md']) utimesSync(path.join(root, name), at, at);
    const link = (target: string): void => {
      rmSync(path.join(root, 'link.md'), { force: true });
      symlinkSync(target, path.join(root, 'link.md'));
    };
    link('a.md');
    expect(pathsOf(await search('quaternions')).toSorted()).toEqual(['a.md', 'link.md']);
    link('b.md');
    expect(pathsOf(await search('sedenions')).toSorted()).toEqual(['b.md', 'link.md']);
    link('a.md');
    await app.ingest();
    const found = await app.search({ text: 'quaternions' }, { refresh: false });
    expect(pathsOf(found).toSorted()).toEqual(['a.md', 'link.md']);
  });

  it('finds a linked file again when it is back at the target of the link', async () => {
    const { root, search } = await openIngested();
    put(root, { 'a.md': 'about quaternions\n', 'links/other.md': 'about sedenions\n' });
    symlinkSync('../a.md', path.join(root, 'links/link.md'));
    const at = new Date(Date.now() - 5000);
    utimesSync(path.join(root, 'links'), at, at);
    expect(pathsOf(await search('quaternions')).toSorted()).toEqual(['a.md', 'links/link.md']);
    rmSync(path.join(root, 'a.md'));
    expect(pathsOf(await search('quaternions'))).toEqual([]);
    put(root, { 'a.md': 'again about quaternions\n' });
    expect(pathsOf(await search('quaternions')).toSorted()).toEqual(['a.md', 'links/link.md']);
  });

  it('continues a paged list from the state it started with', async () => {
    const { root, app } = await openIngested();
    const first = await app.search({ text: 'sourdough', k: 3 });
    put(root, { 'new.md': 'sourdough\n' });
    const second = await app.search({ text: 'sourdough', k: 3 }, { cursor: first.next_cursor as string });
    expect([second.hits[0]?.rank, second.hits.length]).toEqual([4, 3]);
    await app.search({ text: 'anything' });
    const stale = app.search({ text: 'sourdough', k: 3 }, { cursor: first.next_cursor as string });
    await expect(stale).rejects.toMatchObject({ code: 'stale_cursor' });
  });

  it('follows changed ignore files', async () => {
    const { root, search } = await openIngested();
    put(root, { '.gitignore': 'drafts/\n', 'drafts/d.md': 'quaternions\n' });
    expect((await search('quaternions')).hits).toEqual([]);
    put(root, { '.gitignore': '# nothing\n' });
    expect(pathsOf(await search('quaternions'))).toEqual(['drafts/d.md']);
    put(root, { 'drafts/.kebabignore': '*.md\n', 'drafts/e.md': 'quaternions\n' });
    expect(pathsOf(await search('quaternions'))).toEqual(['drafts/d.md']); // the document stays, as in an ingest
    rmSync(path.join(root, 'drafts'), { recursive: true });
    expect((await search('quaternions')).hits).toEqual([]);
  });
});

describe('access by path after files have changed', () => {
  it('fetches, describes and lists new files', async () => {
    const { root, app } = await openIngested();
    put(root, { 'new.md': 'quaternions\n' });
    expect(await app.fetch({ kind: 'uri', uri: 'new.md' })).toMatchObject({ text: 'quaternions\n' });
    put(root, { 'newer.md': 'octonions\n' });
    expect((await app.nameDocuments('newer.md')).documents).toHaveLength(1);
    put(root, { 'newest.md': 'sedenions\n' });
    expect((await app.listDocs({})).total).toBe(11);
  });

  it('finds a cited passage in a renamed file', async () => {
    const { root, app, search } = await openIngested();
    const [hit] = (await search('number 3')).hits;
    const { uri, content_hash: hash } = hit?.citation ?? { uri: '', content_hash: '' };
    renameSync(path.join(root, 'notes/n3.md'), path.join(root, 'renamed.md'));
    expect(await app.verifyCitation(uri, { hash })).toMatchObject({
      status: 'moved',
      found_uri: uri.replace('notes/n3.md', 'renamed.md'),
    });
    expect(pathsOf(await search('number 3'))).toContain('renamed.md');
  });
});

describe('an index that followed random edits', () => {
  /** `KEBAB_TEST_LIVING=200` runs that many edit scripts. */
  const runs = Number(process.env['KEBAB_TEST_LIVING'] ?? '9');

  it('equals one built from scratch, in ids, rankings and scores', { timeout: runs * 20_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(editScripts(), async (script) => {
        await home.remove(); // what a run before it left
        const edited = new EditedFolder(home.at('kb'), home.at('outside'));
        const living = await openOver(edited.root, home.at('living'));
        await living.ingest();
        for (const edit of script) {
          edited.apply(edit);
          if (edit.thenSearch) await living.search({ text: 'alpha' });
        }
        expect((await living.search({ text: 'settled' })).index).toBeUndefined();
        const fresh = await openOver(edited.root, home.at('fresh'));
        await fresh.ingest();
        expect(await contentsOf(living)).toEqual(await contentsOf(fresh));
      }),
      { numRuns: runs },
    );
  });

  const watchedRuns = Math.ceil(runs / 3);

  it('equals one built from scratch when a watcher followed the edits', { timeout: watchedRuns * 20_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(editScripts(), async (script) => {
        await home.remove(); // what a run before it left
        const edited = new EditedFolder(home.at('kb'), home.at('outside'));
        const living = await openOver(edited.root, home.at('living'));
        const stop = new AbortController();
        const events = living.watch({ signal: stop.signal, ingestsFirst: true });
        let following = (): void => {};
        const hasBegun = new Promise<void>((resolve) => (following = resolve));
        const done = (async () => {
          for await (const { kind } of events) if (kind === 'watching') following();
        })();
        await hasBegun;
        for (const edit of script) {
          edited.apply(edit);
          if (edit.thenSearch) await living.search({ text: 'alpha' });
        }
        await living.search({ text: 'settled' });
        const fresh = await openOver(edited.root, home.at('fresh'));
        await fresh.ingest();
        expect(await contentsOf(living)).toEqual(await contentsOf(fresh));
        stop.abort();
        await done;
      }),
      { numRuns: watchedRuns },
    );
  });
});

/** Everything that searches show of an index, except times. */
async function contentsOf(app: App): Promise<unknown> {
  const { docs } = await app.listDocs({}, { limit: 1000 }, { refresh: false });
  const lists = [];
  for (const text of ['alpha', 'beta gamma', 'delta', 'n1']) {
    const { hits } = await app.search({ text, k: 100 }, { refresh: false });
    lists.push(hits.map(({ chunk_id, citation, freshness, score }) => [chunk_id, citation.uri, freshness, score]));
  }
  return { docs: docs.map(({ doc_id, doc_path, byte_len }) => [doc_id, doc_path, byte_len]), lists };
}
