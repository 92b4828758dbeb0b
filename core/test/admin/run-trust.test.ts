import { realpathSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runTrust, type TrustRequest } from '../../src/admin/run-trust.ts';
import { blake3Hex } from '../../src/domain/blake3.ts';
import { TrustReportSchema } from '../../src/wire/config.ts';
import { ConfigWorld } from '../config/config-world.ts';

let world: ConfigWorld;
beforeEach(() => {
  world = new ConfigWorld();
});
afterEach(() => world.remove());

async function trust(request: TrustRequest) {
  const report = await runTrust(world.trustTools, request);
  expect(TrustReportSchema.parse(report)).toEqual(report);
  return report.entries;
}

const text = '[models.llm]\nendpoint = "https://llm.example"\n';

describe('runTrust', () => {
  it('trusts a project file in its current state, so that it takes effect', async () => {
    const file = world.write('kebab.toml', text);
    const asks = [{ key: 'models.llm.endpoint', value: 'https://llm.example', remote: true }];
    const entry = { path: file, hash: blake3Hex(text), trusted: true, asks, plugins: [] };
    expect(await trust({ kind: 'add', path: file })).toEqual([entry]);
    expect((await world.resolve()).config.models.llm.endpoint).toBe('https://llm.example');
    expect(await trust({ kind: 'list' })).toEqual([entry]);
  });

  it('finds the project file of a folder', async () => {
    const file = world.write('kebab.yaml', 'search: {}');
    expect((await trust({ kind: 'add', path: world.cwd }))[0]?.path).toBe(file);
  });

  it('trusts a file by its real path, so a link to it is trusted too', async () => {
    const real = world.write('../real/kebab.toml', text);
    const link = path.join(world.project, 'kebab.toml');
    symlinkSync(real, link);
    expect((await trust({ kind: 'add', path: link }))[0]?.path).toBe(realpathSync(real));
    expect(await trust({ kind: 'revoke', path: link })).toMatchObject([{ path: real, trusted: false }]);
  });

  it('lists edited and missing files as no longer trusted', async () => {
    const edited = world.write('kebab.toml', text);
    const gone = world.write('../other/kebab.toml', text);
    await trust({ kind: 'add', path: edited });
    await trust({ kind: 'add', path: gone });
    world.write('kebab.toml', `${text}#`);
    rmSync(gone);
    expect((await trust({ kind: 'list' })).map(({ trusted }) => trusted)).toEqual([false, false]);
  });

  it('revokes the trust, even of a file that is gone', async () => {
    const file = world.write('kebab.toml', text);
    await trust({ kind: 'add', path: file });
    rmSync(file);
    expect(await trust({ kind: 'revoke', path: file })).toEqual([
      { path: file, hash: blake3Hex(text), trusted: false, asks: [], plugins: [] },
    ]);
    expect(await trust({ kind: 'list' })).toEqual([]);
    world.write('kebab.toml', text);
    expect((await world.resolve()).config.models.llm.endpoint).toBe('http://127.0.0.1:11434');
  });

  it('shows the permissions that the plugins a file enables declare, without running any of them', async () => {
    const permissions = { fs: 'input-only', net: ['api.example.org'], spawn: ['pandoc'] };
    world.write(
      '../../home/.local/share/kebab/plugins/node_modules/kebab-wiki/package.json',
      JSON.stringify({
        name: 'kebab-wiki',
        version: '3.1.4',
        exports: './index.js',
        kebab: { apiVersion: 1, contributes: { extractor: ['wiki'], source: ['wiki'] }, permissions },
      }),
    );
    world.write('../../home/.local/share/kebab/plugins/node_modules/kebab-wiki/index.js', `throw new Error('it ran');`);
    world.write(
      '../../home/.local/share/kebab/plugins/node_modules/left-pad/package.json',
      '{"name": "left-pad", "exports": "./index.js"}',
    );
    world.write('mine.mjs', `throw new Error('it ran');`);
    const names = ['kebab-wiki', './mine.mjs', 'left-pad', '@acme/nowhere'];
    const off = '{ name = "kebab-off", enabled = false }';
    const file = world.write('kebab.toml', `plugins = [${names.map((name) => `"${name}"`).join(', ')}, ${off}]\n`);
    const [added] = await trust({ kind: 'add', path: file });
    const unknown = { version: null, kinds: [], permissions: null };
    expect(added?.plugins).toEqual([
      { name: 'kebab-wiki', version: '3.1.4', kinds: ['source', 'extractor'], permissions, reason: null },
      {
        name: path.join(world.project, 'mine.mjs'),
        ...unknown,
        reason: 'a single file says in its code what it touches, and that has not run',
      },
      { name: 'left-pad', ...unknown, reason: 'it is not a kebab plugin: its package.json has no "kebab" member' },
      { name: '@acme/nowhere', ...unknown, reason: expect.stringContaining('Cannot find package') as string },
    ]);
    expect(await trust({ kind: 'list' })).toEqual([added]);
    expect(await trust({ kind: 'revoke', path: file })).toMatchObject([{ trusted: false, plugins: [] }]);
  });

  it('does not trust an invalid file', async () => {
    const file = world.write('kebab.toml', 'plugins = [');
    await expect(trust({ kind: 'add', path: file })).rejects.toMatchObject({ code: 'config_invalid' });
    expect(await trust({ kind: 'list' })).toEqual([]);
  });

  it.each([
    ['add', 'README.md'],
    ['add', 'missing/kebab.toml'],
    ['add', 'deep'],
    ['revoke', 'kebab.toml'],
  ] as const)('rejects %s of %s where that makes no sense', async (kind, name) => {
    world.write('README.md', '');
    const request = { kind, path: path.join(world.project, name) };
    await expect(trust(request)).rejects.toMatchObject({ code: 'invalid_input' });
  });
});
