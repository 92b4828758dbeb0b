import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { KEBAB_VERSION } from '../../src/domain/versions.ts';
import { findPlugin, findPlugins } from '../../src/plugin/find-plugins.ts';

async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'kebab-plugins-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
  return folder;
}

const code = (name: string, more = ''): string =>
  `export default { name: '${name}', version: '1.2.0', apiVersion: 1, kebab: '*',
     permissions: { fs: 'none', net: [], spawn: [] }, contributes: { hook: { '${name}': () => ({}) } }${more} };`;
const entry = (name: string, enabled = true): { name: string; config: unknown; enabled: boolean } => ({
  name,
  config: {},
  enabled,
});

describe('findPlugins', () => {
  it('keeps the order of the configuration and isolates every failure with a one-line reason', async () => {
    const folder = await folderWith({
      'good.mjs': code('good'),
      'bad.mjs': `throw new Error('boom\\nat the second line');`,
      'old.mjs': `export default { name: 'old', version: '1.0.0', apiVersion: 2, contributes: {} };`,
      'none.mjs': `export default 42;`,
      'unversioned.mjs': `export default { name: 'unversioned', version: '1.0.0', contributes: {} };`,
      'later.mjs': code('later'),
    });
    const names = [
      './later.mjs',
      './bad.mjs',
      './old.mjs',
      './unversioned.mjs',
      './none.mjs',
      '@acme/nope',
      './good.mjs',
    ];
    const { plugins, rejected } = await findPlugins(
      names.map((name) => entry(name)),
      { pluginFolder: folder },
    );
    expect(plugins.map((p) => p.manifest.name)).toEqual(['later', 'good']);
    expect(rejected.map(({ name, state, reason }) => [name, state, reason])).toEqual([
      ['./bad.mjs', 'failed', 'boom'],
      ['./old.mjs', 'incompatible', 'old does not fit: it was written for plugin API 2, this kebab speaks 1'],
      ['./unversioned.mjs', 'incompatible', expect.stringContaining('write "apiVersion": 1')],
      ['./none.mjs', 'failed', 'its default export is not a plugin: write `export default definePlugin({ … })`'],
      ['@acme/nope', 'failed', expect.stringContaining("Cannot find package '@acme/nope'")],
    ]);
  });

  it('says what to write instead of a contribution that is not a factory', async () => {
    const base = `name: 'p', version: '1.0.0', apiVersion: 1`;
    const folder = await folderWith({
      'object.mjs': `export default { ${base}, contributes: { hook: { a: { id: 'a' } } } };`,
      'one.mjs': `export default { ${base}, contributes: { hook: () => ({}) } };`,
      'itself.mjs': `export default { ${base}, contributes: { hook: { id: 'a', onAnswer: () => {} } } };`,
    });
    const names = ['object', 'one', 'itself'].map((name) => `./${name}.mjs`);
    const { rejected } = await findPlugins(
      names.map((name) => entry(name)),
      { pluginFolder: folder },
    );
    expect(rejected.map(({ reason }) => reason)).toEqual([
      `its hook "a" is not a factory: contribute { hook: { 'a': (context) => … } }`,
      `its hook is not an object of factories by id: contribute { hook: { 'my-id': (context) => … } }`,
      `its hook is not an object of factories by id: contribute { hook: { 'my-id': (context) => … } }`,
    ]);
  });

  it('reads the manifest of a package without running its code, and a disabled one not at all', async () => {
    const manifest = (name: string): string =>
      JSON.stringify({
        name,
        version: '3.1.4',
        type: 'module',
        exports: { '.': { import: './index.js' } },
        kebab: { apiVersion: 1, contributes: { extractor: ['epub'] }, permissions: { fs: 'input-only' } },
      });
    const folder = await folderWith({
      'node_modules/kebab-epub/package.json': manifest('kebab-epub'),
      'node_modules/kebab-epub/index.js': `throw new Error('it ran');`,
      'node_modules/kebab-off/package.json': manifest('kebab-off'),
      'node_modules/kebab-off/index.js': `throw new Error('it ran');`,
    });
    const found = await findPlugins([entry('kebab-epub'), entry('kebab-off', false)], { pluginFolder: folder });
    expect(found.plugins.map((p) => [p.manifest.version, p.manifest.contributes.extractor, p.origin])).toEqual([
      ['3.1.4', ['epub'], 'package'],
    ]);
    expect(found.rejected.map((r) => [r.name, r.state])).toEqual([['kebab-off', 'disabled']]);
    await expect(found.plugins[0]?.load()).rejects.toThrow('it ran');
  });

  it('reports the declared name of an unusable package, and runs no code of a disabled one', async () => {
    const folder = await folderWith({
      'node_modules/left-pad/package.json': JSON.stringify({ name: 'left-pad', version: '1.3.0' }),
      'node_modules/kebab-old/package.json': JSON.stringify({
        name: 'kebab-old',
        version: '0.9.0',
        kebab: { apiVersion: 2, contributes: { extractor: ['old'] } },
      }),
      'off.mjs': `throw new Error('it ran');`,
    });
    const names = [
      entry('left-pad'),
      entry('kebab-old'),
      entry('./off.mjs', false),
      entry('kebab-gone', false),
      entry('./gone.mjs'),
    ];
    const { plugins, rejected } = await findPlugins(names, { pluginFolder: folder });
    expect(plugins).toEqual([]);
    expect(rejected.map(({ name, version, state, reason }) => [name, version, state, reason])).toEqual([
      ['left-pad', '1.3.0', 'failed', 'it is not a kebab plugin: its package.json has no "kebab" member'],
      [
        'kebab-old',
        '0.9.0',
        'incompatible',
        'kebab-old does not fit: it was written for plugin API 2, this kebab speaks 1',
      ],
      ['./off.mjs', '0.0.0', 'disabled', 'switched off in the configuration'],
      ['kebab-gone', '0.0.0', 'disabled', 'switched off in the configuration'],
      ['./gone.mjs', '0.0.0', 'failed', `there is no ${path.join(folder, 'gone.mjs')}`],
    ]);
  });

  it('rejects a plugin made for another version of kebab, without running the code of a package', async () => {
    const packageJson = (name: string, kebab: unknown): string =>
      JSON.stringify({ name, version: '1.0.0', kebab: { apiVersion: 1, kebab, contributes: { hook: ['x'] } } });
    const single = (range: string): string =>
      `export default { name: 'single', version: '1.0.0', apiVersion: 1, kebab: '${range}', contributes: {} };`;
    const folder = await folderWith({
      'node_modules/kebab-far/package.json': packageJson('kebab-far', '>=7'),
      'node_modules/kebab-odd/package.json': packageJson('kebab-odd', 'newest'),
      'node_modules/kebab-list/package.json': packageJson('kebab-list', ['^1']),
      'node_modules/kebab-near/package.json': packageJson('kebab-near', '^1'),
      'far.mjs': single('^2'),
      'near.mjs': single('>=0.1 <2'),
    });
    const names = ['kebab-far', 'kebab-odd', 'kebab-list', 'kebab-near', './far.mjs', './near.mjs'];
    const { plugins, rejected } = await findPlugins(
      names.map((name) => entry(name)),
      { pluginFolder: folder },
    );
    expect(plugins.map(({ manifest }) => manifest.name)).toEqual(['kebab-near', 'single']);
    expect(rejected.map(({ state, reason }) => [state, reason])).toEqual([
      ['incompatible', `kebab-far does not fit: it wants kebab >=7, this is ${KEBAB_VERSION}`],
      ['incompatible', `kebab-odd does not fit: "newest" is no range of versions of kebab, this is ${KEBAB_VERSION}`],
      ['incompatible', `kebab-list does not fit: ["^1"] is no range of versions of kebab, this is ${KEBAB_VERSION}`],
      ['incompatible', `single does not fit: it wants kebab ^2, this is ${KEBAB_VERSION}`],
    ]);
  });

  it.each([
    [
      { contributes: { extractors: ['x'] } },
      'it contributes "extractors", which is not a kind kebab knows: did you mean "extractor"?',
    ],
    [{ contributes: { moon: ['x'] } }, 'it contributes "moon", which is not a kind kebab knows'],
    [{ contributes: { hook: 'x' } }, 'its contributes.hook is not a list of texts'],
    [{ contributes: ['hook'] }, 'its contributes are no table'],
    [{ permissions: { nets: [] } }, 'its permissions hold "nets", which kebab does not know: did you mean "net"?'],
    [{ permissions: { fs: 'all' } }, 'its permissions.fs is "all", which is none of none, input-only, data-dir'],
    [{ permissions: { net: 'a.example' } }, 'its permissions.net is not a list of texts'],
    [{ permissions: { spawn: [1] } }, 'its permissions.spawn is not a list of texts'],
    [{ permissions: null }, 'its permissions are no table'],
  ])('rejects a package that declares %j', async (declared, reason) => {
    const kebab = { apiVersion: 1, contributes: { hook: ['x'] }, ...declared };
    const folder = await folderWith({
      'node_modules/kebab-odd/package.json': JSON.stringify({ name: 'kebab-odd', version: '1.0.0', kebab }),
    });
    const { plugins, rejected } = await findPlugins([entry('kebab-odd')], { pluginFolder: folder });
    expect(plugins).toEqual([]);
    expect(rejected).toMatchObject([{ name: 'kebab-odd', state: 'failed', reason }]);
  });

  it('looks up the module of a package when it is loaded, and reports then that it is missing', async () => {
    const packageJson = (more: object): string =>
      JSON.stringify({
        name: 'kebab-epub',
        version: '1.0.0',
        kebab: { apiVersion: 1, contributes: { hook: ['x'] } },
        ...more,
      });
    const folder = await folderWith({
      'node_modules/kebab-epub/package.json': packageJson({ exports: './dist/index.js' }),
      'packages/kebab-epub/package.json': packageJson({ main: 'index.mjs' }),
      'packages/kebab-epub/index.mjs': code('kebab-epub'),
    });
    const missing = await findPlugin(entry('kebab-epub'), { pluginFolder: folder });
    expect(missing.path).toBe(path.join(folder, 'node_modules', 'kebab-epub'));
    await expect(missing.load()).rejects.toThrow('Cannot find module');
    let told = 0;
    const found = await findPlugin(entry('./packages/kebab-epub'), {
      pluginFolder: folder,
      beforeLoad: () => told++,
    });
    expect([found.path, told]).toEqual([path.join(folder, 'packages', 'kebab-epub'), 0]);
    expect(await found.load()).toMatchObject({ default: { name: 'kebab-epub' } });
    expect(told).toBe(1);
  });

  it('looks up a package in the plugin folder only, not in folders above it', async () => {
    const folder = await folderWith({
      'node_modules/kebab-epub/package.json': JSON.stringify({
        name: 'kebab-epub',
        version: '2.0.0',
        exports: './index.mjs',
        kebab: { apiVersion: 1, contributes: { hook: ['x'] } },
      }),
      'node_modules/kebab-epub/index.mjs': code('kebab-epub'),
    });
    const below = findPlugin(entry('kebab-epub'), { pluginFolder: path.join(folder, 'plugins') });
    await expect(below).rejects.toThrow("Cannot find package 'kebab-epub'");
    const found = await findPlugin(entry('kebab-epub'), { pluginFolder: folder });
    expect(await found.load()).toMatchObject({ default: { name: 'kebab-epub' } });
  });

  it('rejects a plugin with the name of a built-in one', async () => {
    const folder = await folderWith({ 'evil.mjs': code('@kebab/plugin-md') });
    const search = { pluginFolder: folder, builtins: new Set(['@kebab/plugin-md']) };
    const { plugins, rejected } = await findPlugins([entry('./evil.mjs')], search);
    expect(plugins).toEqual([]);
    expect(rejected).toMatchObject([{ name: '@kebab/plugin-md', state: 'failed' }]);
    expect(rejected[0]?.reason).toContain('bears the name of a built-in plugin');
  });
});
