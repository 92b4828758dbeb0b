import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { App, AppFlags } from '@kebab/core/app';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { putFiles } from './put-files.ts';
import { UserHome } from './user-home.ts';

let owner: UserHome;
let home: string;
beforeEach(() => {
  owner = new UserHome();
  home = owner.folder;
  put('work/a.md', '# Alpha\n\nThe alpha of the work.\n');
  put('work/sub/b.txt', 'alpha as text\n');
  put('work/c.bin', '\0');
  put('notes/a.md', '# Alpha\n\nThe alpha of the notes.\n');
});
afterEach(() => owner.remove());

function put(file: string, content: string): string {
  return path.join(putFiles(home, { [file]: content }), file);
}

interface Run {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly flags?: AppFlags;
}

/** Opens kebab for one action, as a command does: the configuration is read once. */
const withApp = <T>(action: (app: App) => Promise<T>, { env, ...options }: Run = {}): Promise<T> =>
  owner.run(action, env, { makesConfig: true, ...options });
const add = (folder: string, name?: string, run?: Run) => withApp((app) => app.addSource({ path: folder, name }), run);
const remove = (name: string, run?: Run) => withApp((app) => app.removeSource(name), run);
const ingest = (run?: Run) => withApp((app) => app.ingest(), run);
const sources = async (run?: Run) => (await withApp((app) => app.listSources(), run)).sources;
const found = async (run?: Run): Promise<readonly string[]> =>
  (await withApp((app) => app.search({ text: 'alpha', mode: 'lexical' }), run)).hits
    .map(({ source_id: id, doc_path: place }) => `${id}:${place}`)
    .toSorted();
const userFile = (): string => path.join(home, '.config/kebab/config.toml');

describe('kebab add', () => {
  it('writes a folder into the configuration under its own name, and summarises its content', async () => {
    const added = await add('work');
    expect(added).toMatchObject({
      id: 'work',
      root: path.join(home, 'work'),
      file: userFile(),
      holds: { files: { markdown: 1, text: 1 }, unread: 1, is_complete: true },
      hint: 'kebab ingest',
    });
    expect(readFileSync(userFile(), 'utf8')).toContain('\n[[workspace.sources]]\nid = "work"\nroot = "~/work"\n');
    await add('~/notes', 'My.Notes');
    await ingest();
    expect(await found()).toEqual(['My.Notes:a.md', 'work:a.md', 'work:sub/b.txt']);
    expect(await sources()).toMatchObject([
      { id: 'work', documents: 2, state: 'ready' },
      { id: 'My.Notes', documents: 1, state: 'ready' },
    ]);
  });

  it('derives a name for every folder, and refuses a name that is taken or invalid', async () => {
    put('deep/work/a.md', '');
    put('회의록/a.md', '');
    put('Été à Paris/a.md', '');
    put('external/a.md', '');
    await add('work');
    expect((await add('deep/work')).id).toBe('work-2');
    expect((await add('회의록')).id).toBe('source');
    expect((await add('Été à Paris')).id).toBe('ete-a-paris');
    expect((await add('external')).id).toBe('external-2');
    for (const name of ['work', 'default', 'external', 'a b', ''])
      await expect(add('notes', name)).rejects.toMatchObject({ code: 'invalid_input', details: { field: '--name' } });
  });

  it('refuses a folder that is already a source, is inside one or contains one, and anything but a folder', async () => {
    await add('work');
    for (const folder of ['work', 'work/sub', '.'])
      await expect(add(folder)).rejects.toMatchObject({
        code: 'invalid_input',
        message: expect.stringContaining('"work"'),
      });
    await expect(add('nowhere')).rejects.toMatchObject({ code: 'io_error', details: { kind: 'ENOENT' } });
    await expect(add('work/a.md')).rejects.toMatchObject({ code: 'io_error', details: { kind: 'ENOTDIR' } });
    mkdirSync(path.join(home, 'KnowledgeBase'));
    await expect(add('KnowledgeBase')).rejects.toMatchObject({ message: expect.stringContaining('"default"') });
  });

  it('writes nothing when an environment variable overrides the file', async () => {
    const env = { KEBAB_WORKSPACE_SOURCES: '[]' };
    await expect(add('work', undefined, { env })).rejects.toMatchObject({
      message: expect.stringContaining('is set in KEBAB_WORKSPACE_SOURCES'),
    });
    expect(existsSync(userFile())).toBe(false);
  });

  it('follows a folder that has moved under its name, with its settings and its documents', async () => {
    put('archive/old.md', '# Old\n\nAn alpha of the archive.\n');
    await add('notes', 'mine');
    await add('archive');
    await ingest();
    writeFileSync(userFile(), readFileSync(userFile(), 'utf8').replace('root = "~/notes"', '$&\ninclude = ["*.md"]'));
    const idsOf = async () => (await withApp((app) => app.listDocs())).docs.map(({ doc_id: id }) => id);
    const before = await idsOf();
    renameSync(path.join(home, 'notes'), path.join(home, 'diary'));
    await expect(add('archive', 'mine')).rejects.toMatchObject({ message: expect.stringContaining('"archive"') });
    expect(await add('diary', 'mine')).toMatchObject({ id: 'mine', root: path.join(home, 'diary') });
    expect(readFileSync(userFile(), 'utf8')).toContain('id = "mine"\nroot = "~/diary"\ninclude = ["*.md"]\n');
    expect((await ingest()).moved).toMatchObject([{ source_id: 'mine' }]);
    expect(await idsOf()).toEqual(before);
  });

  it('adds a folder again under the name it was indexed by', async () => {
    await add('notes', 'mine');
    await ingest();
    rmSync(userFile());
    expect(await sources()).toContainEqual(expect.objectContaining({ id: 'mine', state: 'not_configured' }));
    expect((await add('notes')).id).toBe('mine');
  });
});

describe('kebab add of the folder that replaced the indexed one', () => {
  it('keeps both, as the notice says', async () => {
    const root = async (folder: string): Promise<unknown> =>
      withApp((app) => app.config({ kind: 'set', key: 'workspace.root', values: [path.join(home, folder)] }));
    await root('work');
    await ingest();
    await root('notes');
    await expect(add('work')).rejects.toMatchObject({ message: expect.stringContaining('"default"') });
    expect((await add('notes')).id).toBe('notes');
    await ingest();
    expect(await found()).toEqual(['default:a.md', 'default:sub/b.txt', 'notes:a.md']);
    expect(await sources()).toMatchObject([
      { id: 'default', state: 'ready' },
      { id: 'notes', state: 'ready' },
    ]);
  });
});

describe('a search over several sources', () => {
  const same = `The dial of the boiler shows ${Array.from({ length: 40 }, (_, at) => `bar${at}`).join(' ')}.\n`;
  const search = (text: string, filters = {}) =>
    withApp((app) => app.search({ text, mode: 'lexical', filters }, { refresh: false }));

  beforeEach(async () => {
    put('work/src/gauge.py', 'def read_gauge():\n    return 1\n');
    put('notes/src/gauge.py', 'def read_gauge():\n    return 2\n');
    put('work/boiler.md', same);
    put('notes/boiler.md', same);
    await add('work');
    await add('notes');
    await ingest();
  });

  it('says of each hit which source it comes from, where paths are equal', async () => {
    const { hits } = await search('read_gauge');
    expect(Object.fromEntries(hits.map(({ source_id: id, citation }) => [id, citation.uri]))).toEqual({
      notes: 'notes:src/gauge.py#L1-L2',
      work: 'work:src/gauge.py#L1-L2',
    });
  });

  it('names the copy of a passage in another source with that source', async () => {
    const { hits } = await search('boiler dial bar7');
    const [first] = hits.filter(({ doc_path: place }) => place === 'boiler.md');
    const other = first?.source_id === 'work' ? 'notes' : 'work';
    expect(first).toMatchObject({ also_at: [`${other}:boiler.md`] });
    rmSync(path.join(home, other === 'work' ? 'notes' : 'work', 'boiler.md'));
    expect((await search('boiler')).hits[0]).toMatchObject({
      source_id: other,
      freshness: 'fresh',
      also_at: [`${first?.source_id}:boiler.md`],
    });
  });

  it('keeps to one source with the filter and with the field', async () => {
    const ofSource = async (...query: Parameters<typeof search>) =>
      new Set((await search(...query)).hits.map(({ source_id: id }) => id));
    expect(await ofSource('read_gauge', { source: ['work'] })).toEqual(new Set(['work']));
    expect(await ofSource('source:notes read_gauge')).toEqual(new Set(['notes']));
    expect(await ofSource('read_gauge', { source: ['work', 'notes'] })).toEqual(new Set(['work', 'notes']));
    expect(await ofSource('read_gauge', { pathGlob: ['notes:src/**'] })).toEqual(new Set(['notes']));
    expect((await search('read_gauge', { source: ['wrok'] })).suggestions?.filters).toMatchObject([
      { filter: 'source', value: 'wrok', nearest: 'work' },
    ]);
  });
});

describe('kebab remove', () => {
  it('removes a source from the configuration and the index, and keeps the files and the other sources', async () => {
    await add('work');
    await add('notes');
    await ingest();
    expect(await remove('work')).toMatchObject({
      id: 'work',
      documents: 2,
      file: userFile(),
      vectors_left: 0,
      hint: null,
    });
    expect(readFileSync(userFile(), 'utf8')).not.toContain('id = "work"\nroot = "~/work"\n\n[[');
    expect(await found()).toEqual(['notes:a.md']);
    expect((await sources()).map(({ id }) => id)).toEqual(['notes']);
    expect(existsSync(path.join(home, 'work/a.md'))).toBe(true);
    await ingest();
    expect(await found()).toEqual(['notes:a.md']);
  });

  it('removes the index of a source that is no longer configured', async () => {
    await add('work');
    await ingest();
    rmSync(userFile());
    expect(await remove('work')).toMatchObject({ documents: 2, file: null });
    expect(await found()).toEqual([]);
  });

  it('unsets the folder of the source default', async () => {
    await withApp((app) => app.config({ kind: 'set', key: 'workspace.root', values: [path.join(home, 'work')] }));
    await add('notes');
    await ingest();
    expect(await remove('default')).toMatchObject({ documents: 2, file: userFile(), hint: null });
    expect(readFileSync(userFile(), 'utf8')).not.toMatch(/^root = "[^~]/m);
    expect((await sources()).map(({ id }) => id)).toEqual(['notes']);
  });

  it('says that a default folder will be ingested again', async () => {
    put('KnowledgeBase/k.md', 'alpha\n');
    await ingest();
    expect((await remove('default')).hint).toContain('~/KnowledgeBase is indexed again by the next ingest');
  });

  it('refuses an unknown name and suggests the nearest one, and refuses anything that is not a source', async () => {
    await add('work');
    await expect(remove('wrok')).rejects.toMatchObject({ code: 'invalid_input', details: { suggestion: 'work' } });
    await expect(remove('external')).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(remove('default')).rejects.toMatchObject({ code: 'invalid_input' });
    const env = { KEBAB_WORKSPACE_SOURCES: '[{"id": "env", "root": "~/notes"}]' };
    await expect(remove('env', { env })).rejects.toMatchObject({
      message: expect.stringContaining('KEBAB_WORKSPACE_SOURCES'),
    });
  });
});

describe('the sources of a project', () => {
  it('are written into the project file, which stays trusted, and apply to the project only', async () => {
    put('code/app/readme.md', 'alpha of the app\n');
    const project = path.join(home, 'code/app');
    await withApp((app) => app.init({ place: 'project' }), { cwd: project });
    const run = { cwd: project };
    expect(await add('../../notes', undefined, run)).toMatchObject({ file: path.join(project, '.kebab/config.toml') });
    await ingest(run);
    expect(await found(run)).toEqual(['default:readme.md', 'notes:a.md']);
    await expect(add('.', undefined, run)).rejects.toMatchObject({
      message: expect.stringContaining('is already the source "default"'),
    });
    await expect(add('..', undefined, run)).rejects.toMatchObject({
      hint: expect.stringContaining('kebab add --user'),
    });
    await expect(remove('default', run)).rejects.toMatchObject({ code: 'invalid_input' });
    await remove('notes', run);
    expect(await found(run)).toEqual(['default:readme.md']);
    expect(existsSync(userFile())).toBe(false);
    const user = await add('../../notes', undefined, { cwd: project, flags: { user: true } });
    expect(user.file).toBe(userFile());
  });
});
