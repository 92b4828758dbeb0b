import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findPlugins } from '../../src/plugin/find-plugins.ts';

async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'kebab-plugins-'));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
  return folder;
}

const code = (name: string, more = ''): string =>
  `export default { name: '${name}', version: '1.2.0', apiVersion: 1, kebab: '*',
     permissions: { fs: 'none', net: [], spawn: [] }, contributes: { hook: { ${name}: () => ({}) } }${more} };`;
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
      'later.mjs': code('later'),
    });
    const names = ['./later.mjs', './bad.mjs', './old.mjs', './none.mjs', '@acme/nope', './good.mjs'];
    const { plugins, rejected } = await findPlugins(
      names.map((name) => entry(name)),
      path.join(folder, 'kebab.toml'),
    );
    expect(plugins.map((p) => p.manifest.name)).toEqual(['later', 'good']);
    expect(rejected.map(({ name, state, reason }) => [name, state, reason])).toEqual([
      ['./bad.mjs', 'failed', 'boom'],
      ['./old.mjs', 'incompatible', 'old does not fit: it was written for plugin API 2, this kebab speaks 1'],
      ['./none.mjs', 'failed', 'its default export is not a plugin'],
      ['@acme/nope', 'failed', expect.stringContaining("Cannot find package '@acme/nope'")],
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
    const found = await findPlugins([entry('kebab-epub'), entry('kebab-off', false)], path.join(folder, 'kebab.toml'));
    expect(found.plugins.map((p) => [p.manifest.version, p.manifest.contributes.extractor, p.origin])).toEqual([
      ['3.1.4', ['epub'], 'package'],
    ]);
    expect(found.rejected.map((r) => [r.name, r.state])).toEqual([['kebab-off', 'disabled']]);
    await expect(found.plugins[0]?.load()).rejects.toThrow('it ran');
  });
});
