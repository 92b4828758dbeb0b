import { describe, expect, it } from 'vitest';
import { enabledByFlag } from '../../src/composition/installed-plugins.ts';
import type { PluginPermissions } from '../../src/plugin/define-plugin.ts';
import type { LoadedPlugin } from '../../src/plugin/loaded-plugin.ts';
import { trustPolicyOf } from '../../src/plugin/trust-policy.ts';

const loaded = (name: string, permissions: PluginPermissions): LoadedPlugin => ({
  manifest: { name, version: '1.0.0', apiVersion: 1, contributes: {}, permissions },
  origin: 'path',
  policy: trustPolicyOf({ origin: 'path' }),
  path: `/plugins/${name}.mjs`,
  moduleUrl: () => Promise.reject(new Error('it was looked for')),
  rawConfig: {},
  load: () => Promise.reject(new Error('it ran')),
});
const named = (...names: readonly string[]) => ({
  named: names.map((name) => ({ name: `./${name}.mjs`, config: {}, enabled: true })),
  pluginFolder: '/plugins',
});

const nothing: PluginPermissions = { fs: 'input-only', net: [], spawn: [] };
const plugins = [
  loaded('wiki', { fs: 'data-dir', net: ['a.example', 'b.example'], spawn: ['pandoc'] }),
  loaded('quiet', nothing),
  loaded('configured', { ...nothing, net: ['c.example'] }),
];

describe('enabledByFlag', () => {
  it('reports the permissions of the plugins on the command line, except those without any', () => {
    expect(enabledByFlag(plugins, named('wiki', 'quiet', 'missing'))).toEqual([
      '--plugin enables wiki 1.0.0, which may write into the data folder and reach a.example, b.example and start pandoc',
    ]);
  });

  it('omits those of the configuration, which `kebab trust` and `kebab plugin list` report', () => {
    expect(enabledByFlag(plugins, named())).toEqual([]);
  });
});
