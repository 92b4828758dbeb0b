import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import type { App } from '@kebab/core/app';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { putFiles } from './put-files.ts';
import { UserHome } from './user-home.ts';

let user: UserHome;
let home: string;
beforeEach(() => {
  user = new UserHome();
  home = user.folder;
});
afterEach(() => user.remove());

const AUTHOR = ['-c', 'user.name=Kim', '-c', 'user.email=kim@example.org', '-c', 'init.defaultBranch=main'];

function git(folder: string, ...args: readonly string[]): string {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
  return execFileSync('git', [...AUTHOR, ...args], { cwd: folder, env, encoding: 'utf8', stdio: 'pipe' });
}

const put = (file: string, content: string) => putFiles(home, { [file]: content });

/** Commits these files to a work tree and pushes them to the bare repository beside it, which is returned as a URL. */
function publish(name: string, files: Readonly<Record<string, string>>): string {
  const [work, bare] = [path.join(home, 'work', name), path.join(home, 'srv', `${name}.git`)];
  if (!existsSync(work)) {
    mkdirSync(work, { recursive: true });
    mkdirSync(bare, { recursive: true });
    git(bare, 'init', '--bare', '--quiet');
    git(work, 'init', '--quiet');
  }
  for (const [file, content] of Object.entries(files)) put(`work/${name}/${file}`, content);
  git(work, 'add', '--all');
  git(work, 'commit', '--quiet', '-m', 'change');
  git(work, 'push', '--quiet', bare, 'HEAD:main');
  return `file://${bare}`;
}

type Variables = Readonly<Record<string, string>>;

/** Opens kebab for one action, as a command does. */
const withApp = <T>(action: (app: App) => Promise<T>, env: Variables = {}, cwd = home): Promise<T> =>
  user.run(action, { PATH: process.env['PATH'] ?? '', ...env }, { cwd, makesConfig: true });

const add = (url: string, name?: string, env?: Variables) => withApp((app) => app.addSource({ path: url, name }), env);
const ingest = (options: Parameters<App['ingest']>[0] = { update: true }, env?: Variables) =>
  withApp((app) => app.ingest(options), env);
const found = async (text: string): Promise<readonly string[]> =>
  (await withApp((app) => app.search({ text, mode: 'lexical' }))).hits.map(({ citation }) => citation.uri);
const config = (): string => readFileSync(path.join(home, '.config/kebab/config.toml'), 'utf8');
const clones = (): string => path.join(home, '.local/share/kebab/repositories');

describe('a repository as a source', () => {
  it('is cloned without its history, and hits name it and the path', async () => {
    publish('widgets', { 'src/gauge.py': 'def read_gauge():\n    return 1\n' });
    const url = publish('widgets', { 'README.md': '# Widgets\n\nThe boiler has a gauge.\n' });
    const added = await add(url);
    expect(added).toMatchObject({
      id: 'widgets',
      git: url,
      root: path.join(clones(), 'widgets'),
      holds: { files: { markdown: 1, code: 1 } },
    });
    expect(config()).toContain(`id = "widgets"\ngit = "${url}"\n`);
    expect(git(added.root, 'rev-list', '--count', 'HEAD').trim()).toBe('1');
    await ingest();
    const { hits } = await withApp((app) => app.search({ text: 'read_gauge', mode: 'lexical' }));
    expect(hits[0]).toMatchObject({
      source_id: 'widgets',
      repo: 'widgets',
      doc_path: 'src/gauge.py',
      citation: { uri: 'widgets:src/gauge.py#L1-L2' },
    });
    expect((await withApp((app) => app.listSources())).sources).toMatchObject([
      { id: 'widgets', git: url, documents: 2, state: 'ready' },
    ]);
  });

  it('follows the repository when it is ingested, and only then', async () => {
    const url = publish('widgets', { 'a.md': 'the old anchor\n', 'b.md': 'the buoy\n', 'c.md': 'the quay\n' });
    await add(url);
    await ingest();
    rmSync(path.join(home, 'work/widgets/b.md'));
    publish('widgets', { 'a.md': 'the new lantern\n' });
    expect(await found('lantern')).toEqual([]); // a search fetches nothing
    await ingest({});
    expect(await found('lantern')).toEqual([]); // nor does an ingest that is not asked to
    const report = await ingest();
    expect(report).toMatchObject({ updated: 1, purged: 1, degraded: [] });
    expect(await found('lantern')).toEqual(['widgets:a.md#L1']);
    expect(await found('buoy')).toEqual([]);
  });

  it('follows a repository whose history was rewritten', async () => {
    const url = publish('widgets', { 'a.md': 'the old anchor\n' });
    await add(url);
    git(path.join(home, 'work/widgets'), 'commit', '--quiet', '--amend', '-m', 'again');
    put('work/widgets/a.md', 'the lantern\n');
    git(path.join(home, 'work/widgets'), 'commit', '--quiet', '--amend', '-a', '-m', 'again');
    git(path.join(home, 'work/widgets'), 'push', '--quiet', '--force', url.slice('file://'.length), 'HEAD:main');
    await ingest();
    expect(await found('lantern')).toEqual(['widgets:a.md#L1']);
  });

  it('keeps its last state when the repository cannot be reached, and says so', async () => {
    const url = publish('widgets', { 'a.md': 'the anchor\n' });
    await add(url);
    await ingest();
    rmSync(path.join(home, 'srv'), { recursive: true });
    const { degraded, unchanged, purged } = await ingest();
    expect(degraded).toMatchObject([{ stage: 'update', reason: 'repository_unreachable' }]);
    expect(degraded[0]?.hint).toContain('widgets stays as it was');
    expect({ unchanged, purged }).toEqual({ unchanged: 1, purged: 0 });
    expect(await found('anchor')).toEqual(['widgets:a.md#L1']);
  });

  it('is cloned again by an ingest when its clone is gone', async () => {
    const url = publish('widgets', { 'a.md': 'the anchor\n' });
    await add(url);
    rmSync(path.join(clones(), 'widgets'), { recursive: true });
    await ingest();
    expect(await found('anchor')).toEqual(['widgets:a.md#L1']);
  });

  it('takes its clone along when it is removed, and nothing else', async () => {
    const url = publish('widgets', { 'a.md': 'the anchor\n' });
    const other = publish('gears', { 'a.md': 'the cog\n' });
    put('notes/a.md', 'a note\n');
    await add(url);
    await add(other);
    await add('notes');
    await ingest();
    expect(await withApp((app) => app.removeSource('widgets'))).toMatchObject({ documents: 1, clone_removed: true });
    expect(readdirSync(clones()).filter((name) => !name.startsWith('.'))).toEqual(['gears']);
    expect(await withApp((app) => app.removeSource('notes'))).not.toHaveProperty('clone_removed');
    expect(existsSync(path.join(home, 'notes/a.md'))).toBe(true);
    expect(existsSync(path.join(home, 'srv/widgets.git'))).toBe(true);
    expect(await found('cog')).toEqual(['gears:a.md#L1']);
  });

  it('has a name of its own where it is taken, and is not added twice', async () => {
    put('widgets/a.md', 'a folder\n');
    await add('widgets');
    const url = publish('widgets', { 'a.md': 'the anchor\n' });
    expect((await add(url)).id).toBe('widgets-2');
    await expect(add(`${url}/`)).rejects.toMatchObject({ message: expect.stringContaining('already the source') });
    await expect(add(publish('gears', { 'a.md': 'cog\n' }), '..')).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('goes with a reset of everything', async () => {
    const url = publish('widgets', { 'a.md': 'the anchor\n', 'deep/b.md': 'the buoy\n' });
    await add(url);
    await ingest();
    await withApp((app) => app.reset('all'));
    expect(existsSync(clones())).toBe(false);
    expect(existsSync(path.join(home, 'srv/widgets.git'))).toBe(true);
  });

  it('belongs to a project where it is added there', async () => {
    const url = publish('widgets', { 'a.md': 'the anchor\n' });
    put('app/main.md', 'the main thing\n');
    const project = path.join(home, 'app');
    git(project, 'init', '--quiet');
    await withApp((app) => app.init({ place: 'project' }), {}, project);
    const { root } = await withApp((app) => app.addSource({ path: url }), {}, project);
    expect(root).toBe(path.join(project, '.kebab/repositories/widgets'));
    const report = await withApp((app) => app.ingest({ update: true }), {}, project);
    expect(report.new).toBe(2);
    const { files } = await withApp((app) => app.grep({ pattern: 'anchor' }), {}, project);
    expect(files.map((file) => file.path)).toEqual(['widgets:a.md']);
  });
});

describe('a repository that cannot be cloned', () => {
  it.each([
    ['an address that runs a program', 'ext::sh -c touch% /tmp/owned'],
    ['a helper of git', 'hg::https://host.example/widgets'],
    ['an option of ssh', 'ssh://-oProxyCommand=touch/widgets'],
    ['a password', 'https://kim:secret@host.example/widgets.git'],
    ['another protocol', 'ftp://host.example/widgets'],
  ])('is refused for %s, and nothing is written', async (_, url) => {
    const error = await add(url).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'invalid_input', details: { field: 'PATH' } });
    expect((error as Error).message).not.toContain('secret');
    expect(existsSync(clones())).toBe(false);
  });

  it.each([
    ['there is nothing', () => `file://${home}/srv/nothing.git`],
    ['there is no repository', () => (put('srv/plain/a.md', 'x\n'), `file://${home}/srv/plain`)],
  ])('says so where %s, and leaves nothing behind', async (_, url) => {
    await expect(add(url())).rejects.toMatchObject({
      code: 'io_error',
      message: expect.stringContaining('cannot be cloned'),
    });
    expect(readdirSync(clones()).filter((name) => name !== '.kebab-folder')).toEqual([]);
    expect(existsSync(path.join(home, '.config/kebab/config.toml'))).toBe(false);
  });

  it('says that git is missing', async () => {
    const url = publish('widgets', { 'a.md': 'the anchor\n' });
    await expect(add(url, undefined, { PATH: home })).rejects.toMatchObject({
      code: 'io_error',
      message: expect.stringContaining('git is not installed'),
    });
    await add(url);
    expect((await ingest({ update: true }, { PATH: home })).degraded[0]?.hint).toContain('there is no program git');
    expect(await found('anchor')).toEqual(['widgets:a.md#L1']);
  });

  it('runs no hook, filter or submodule of what is cloned', async () => {
    const mark = path.join(home, 'owned');
    const template = path.join(home, 'template');
    put('template/hooks/post-checkout', `#!/bin/sh\ntouch ${mark}\n`);
    execFileSync('chmod', ['+x', path.join(template, 'hooks/post-checkout')]);
    const inner = publish('inner', { 'i.md': 'the inner thing\n' });
    publish('widgets', { 'a.md': 'the anchor\n' });
    git(
      path.join(home, 'work/widgets'),
      '-c',
      'protocol.file.allow=always',
      'submodule',
      '--quiet',
      'add',
      inner,
      'sub',
    );
    const url = publish('widgets', { 'b.md': 'the buoy\n' });
    const env = { GIT_TEMPLATE_DIR: template, GIT_CONFIG_GLOBAL: '/dev/null' };
    const { root } = await add(url, undefined, env);
    await ingest({ update: true }, env);
    expect(existsSync(mark)).toBe(false);
    expect(readdirSync(path.join(root, 'sub'))).toEqual([]);
  });

  it('never touches a folder that is not kebab’s own', async () => {
    const url = publish('widgets', { 'a.md': 'the anchor\n' });
    put('.local/share/kebab/repositories/widgets/mine.md', 'mine\n');
    await expect(add(url)).rejects.toMatchObject({ message: expect.stringContaining('did not write') });
    expect(readFileSync(path.join(clones(), 'widgets/mine.md'), 'utf8')).toBe('mine\n');
  });

  it('never resets a repository around a damaged clone', async () => {
    const url = publish('widgets', { 'a.md': 'the anchor\n' });
    git(home, 'init', '--quiet');
    put('own.md', 'committed\n');
    git(home, 'add', 'own.md');
    git(home, 'commit', '--quiet', '-m', 'own');
    put('own.md', 'not committed yet\n');
    const { root } = await add(url);
    rmSync(path.join(root, '.git/HEAD'));
    await ingest();
    expect(readFileSync(path.join(home, 'own.md'), 'utf8')).toBe('not committed yet\n');
  });
});

describe('the configuration of a repository', () => {
  it.each([
    ['root = "~/notes"\ngit = "https://host.example/a"', 'root'],
    ['', 'root'],
    ['git = "ext::sh"', 'git'],
    ['git = "https://host.example/a"\nconnector = "other"', 'connector'],
  ])('is invalid with %j', async (members, member) => {
    put('.config/kebab/config.toml', `[[workspace.sources]]\nid = "a"\n${members}\n`);
    await expect(withApp((app) => app.listSources())).rejects.toMatchObject({
      code: 'config_invalid',
      details: { key: `workspace.sources[0].${member}` },
    });
  });

  it('does not let a name lead out of the folder of clones', async () => {
    put('.config/kebab/config.toml', '[[workspace.sources]]\nid = ".."\ngit = "https://host.example/a"\n');
    await expect(ingest()).rejects.toMatchObject({
      code: 'config_invalid',
      details: { key: 'workspace.sources[0].id' },
    });
  });
});
