import { cpSync, mkdirSync, renameSync, symlinkSync, unlinkSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeProject } from '../../src/admin/run-init.ts';
import { bundledKeys } from './bundled-keys.ts';
import { ConfigWorld } from './config-world.ts';

let world: ConfigWorld;
beforeEach(() => {
  world = new ConfigWorld();
});
afterEach(() => world.remove());

async function make(folder = world.project): Promise<string> {
  await makeProject({
    folder,
    force: false,
    keys: bundledKeys,
    stateDir: path.join(world.home, '.local/state/kebab'),
    env: {},
    homeDir: world.home,
    randomBytes: (size) => crypto.getRandomValues(new Uint8Array(size)),
  });
  return path.join(folder, '.kebab');
}

describe('the configuration within a project', () => {
  it('has the project as its only source and its data in .kebab, from any folder in it', async () => {
    const kebab = await make();
    const { config, project, notices } = await world.resolve();
    expect(project).toEqual({
      folder: world.project,
      kebabFolder: kebab,
      configFile: path.join(kebab, 'config.toml'),
    });
    expect(config.workspace).toMatchObject({ root: world.project, sources: [] });
    expect(config.storage).toMatchObject({
      dataDir: kebab,
      sqlite: path.join(kebab, 'kebab.sqlite'),
      modelDir: path.join(world.home, '.local/share/kebab/models'),
    });
    expect(notices).toEqual([]);
  });

  it('keeps the user’s settings of models and search, but not their sources and paths', async () => {
    world.write(
      world.userFile,
      '[workspace]\nroot = "~/kb"\nexclude = ["x"]\n[[workspace.sources]]\nid = "w"\nroot = "~/w"\n' +
        '[storage]\ndata_dir = "~/d"\nsqlite = "~/k.sqlite"\nvector_store = "qdrant"\n[search]\ndefault_k = 3\n',
    );
    const kebab = await make();
    const { config, origins } = await world.resolve();
    expect(config.workspace).toMatchObject({ root: world.project, sources: [], exclude: ['x'] });
    expect(config.storage).toMatchObject({
      sqlite: path.join(kebab, 'kebab.sqlite'),
      modelDir: path.join(world.home, 'd/models'),
      vectorStore: 'qdrant',
    });
    expect(config.search.defaultK).toBe(3);
    expect(origins.get('search.default_k')).toEqual({ origin: 'file', path: world.userFile });
  });

  it('applies its own file, then a project file beside it, then the environment', async () => {
    const kebab = await make();
    world.write(
      path.join(kebab, 'config.toml'),
      '[search]\ndefault_k = 4\nsnippet_chars = 100\n[chunking]\ntarget_tokens = 90\n',
    );
    world.write('kebab.toml', '[search]\nsnippet_chars = 200\n');
    const { config } = await world.resolve({ env: { KEBAB_CHUNKING_TARGET_TOKENS: '300' } });
    expect([config.search.defaultK, config.search.snippetChars, config.chunking.targetTokens]).toEqual([4, 200, 300]);
    const elsewhere = await world.resolve({ env: { KEBAB_STORAGE_DATA_DIR: '/else' } });
    expect(elsewhere.config.storage).toMatchObject({ sqlite: '/else/kebab.sqlite', modelDir: '/else/models' });
  });

  it('is the user’s with --config or --user, and inside a nearer project file', async () => {
    await make();
    const named = world.write('own.toml', '');
    expect((await world.resolve({ flags: { config: named } })).project).toBeNull();
    expect((await world.resolve({ flags: { user: true } })).config.workspace.root).toContain('KnowledgeBase');
    world.write('deep/kebab.toml', '');
    expect((await world.resolve()).project).toBeNull();
  });

  it('takes sources and models from its own file once that is trusted, and reports what requires trust', async () => {
    const kebab = await make();
    const file = path.join(kebab, 'config.toml');
    world.write(file, '[[workspace.sources]]\nid = "docs"\nroot = "../docs"\n');
    const before = await world.resolve();
    expect(before.config.workspace.sources).toEqual([]);
    expect(before.notices).toEqual([expect.stringContaining(`workspace.sources in ${file} is ignored`)]);
    await world.writeTrusted(file, '[[workspace.sources]]\nid = "docs"\nroot = "../docs"\n');
    const { config } = await world.resolve();
    expect(config.workspace.sources).toMatchObject([{ id: 'docs', root: path.join(world.project, 'docs') }]);
  });
});

describe('a .kebab folder with links in it', () => {
  it.each([
    ['a folder', 'outside'],
    ['nothing yet', 'missing'],
  ])('is not used while a link leads to %s, and the notice names the link', async (_what, target) => {
    const kebab = await make();
    mkdirSync(path.join(world.root, 'outside'));
    const link = path.join(kebab, 'external');
    symlinkSync(path.join(world.root, target), link);
    const { project, unusedFolder, notices } = await world.resolve();
    expect([project, unusedFolder]).toEqual([null, kebab]);
    expect(notices).toEqual([
      `${kebab} is not used: ${link} is a link and may have come with a checkout; remove the link to use the folder again`,
    ]);
    unlinkSync(link);
    expect((await world.resolve()).project).not.toBeNull();
  });

  it('is used with a link to a file, whose content needs trust like that of any other', async () => {
    const kebab = await make();
    renameSync(path.join(kebab, 'config.toml'), path.join(world.root, 'mine.toml'));
    symlinkSync(path.join(world.root, 'mine.toml'), path.join(kebab, 'config.toml'));
    expect((await world.resolve()).project).not.toBeNull();
  });
});

describe('a .kebab folder that was not created on this machine', () => {
  it('is not used, and the notice says how to create one', async () => {
    world.write('.kebab/id', `${'0'.repeat(32)}\n`);
    world.write('.kebab/config.toml', 'this is [ not toml');
    const { project, config, notices } = await world.resolve();
    expect(project).toBeNull();
    expect(config.workspace.root).toBe(path.join(world.home, 'KnowledgeBase'));
    expect(notices).toEqual([expect.stringMatching(/\.kebab is not used: .* `kebab init --project` in /)]);
  });

  it.each([
    ['a copy', (from: string, to: string) => cpSync(from, to, { recursive: true })],
    ['a link', (from: string, to: string) => symlinkSync(from, to)],
  ])('is not used as %s of one that was', async (_what, plant) => {
    const made = await make();
    const other = path.join(world.root, 'clone');
    mkdirSync(other);
    plant(made, path.join(other, '.kebab'));
    const { project, notices } = await world.resolve({ cwd: other });
    expect(project).toBeNull();
    expect(notices).toHaveLength(1);
  });

  it('is not used when another user could have written the list of projects', async () => {
    await make();
    world.write(path.join(world.home, '.local/state/kebab/projects.json'), '{"projects": {"/x": 7}}');
    const { project, notices } = await world.resolve();
    expect(project).toBeNull();
    expect(notices[0]).toContain('cannot be used as the list of projects');
  });

  it('is set aside for a new one, while one that moved with its project keeps working', async () => {
    world.write('.kebab/config.toml', '');
    world.write('.kebab/kebab.sqlite', 'planted');
    await make();
    expect((await world.resolve()).project).not.toBeNull();
    const kebab = path.join(world.project, '.kebab');
    world.write(path.join(kebab, 'kebab.sqlite'), 'mine');
    const moved = path.join(world.root, 'moved');
    renameSync(world.project, moved);
    expect((await world.resolve({ cwd: moved })).project).toBeNull();
    await make(moved);
    const { project, files } = await world.resolve({ cwd: moved });
    expect(project).toMatchObject({ folder: moved });
    expect(files.at(-1)).toMatchObject({ trusted: true });
    await expect(make(moved)).resolves.toBe(path.join(moved, '.kebab'));
  });
});
