import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { builtins } from '@kebab/builtins';
import {
  openComponents,
  type OpenComponents,
  enabledByFlag,
  PluginNotices,
} from '../../src/composition/open-components.ts';
import type { LogFields } from '../../src/contracts/contribution.ts';
import { ConfigWorld } from '../config/config-world.ts';
import type { PluginPermissions } from '../../src/plugin/define-plugin.ts';
import type { LoadedPlugin } from '../../src/plugin/loaded-plugin.ts';
import { trustPolicyOf } from '../../src/plugin/trust-policy.ts';
import type { ComponentName } from '../../src/plugin/components.ts';
import type { PluginKind } from '../../src/plugin/contributions.ts';
import { attributedFailure } from '../../src/plugin/guard/guard.ts';
import { pluginFailure } from '../../src/plugin/plugin-failure.ts';

/** A hook whose factory logs its configuration. */
const CODE = `export default { contributes: { hook: { journal: ({ log, config }) => (log.info('made', config), {}) } } };`;
const SECTION = {
  name: 'journal',
  doc: 'Journals.',
  keys: {
    max_depth: { kind: 'int', default: 3, doc: 'How deep.' },
    folder: { kind: 'path', default: '{data_dir}/journals', doc: 'Where they lie.' },
  },
};

/** Opens the components for a user's file, with a plugin installed in kebab's own plugin folder. */
async function openWith(
  userFile: string,
  {
    section = SECTION,
    code = CODE,
    kebab = { apiVersion: 1, contributes: { hook: ['journal'] }, section },
  }: { readonly section?: unknown; readonly code?: string; readonly kebab?: unknown } = {},
): Promise<OpenComponents & { readonly world: ConfigWorld; readonly logged: readonly LogFields[] }> {
  const world = new ConfigWorld();
  onTestFinished(() => world.remove());
  const folder = path.join(world.home, '.local/share/kebab/plugins/node_modules/kebab-plugin-journal');
  const packageJson = { name: 'kebab-plugin-journal', version: '1.0.0', type: 'module', kebab };
  world.write(path.join(folder, 'package.json'), JSON.stringify(packageJson));
  world.write(path.join(folder, 'index.js'), code);
  world.write(world.userFile, userFile);
  const logged: LogFields[] = [];
  const silent = (): void => {};
  const opened = await openComponents({
    resolution: await world.resolve(),
    builtins,
    environment: { cwd: world.cwd, env: {}, homeDir: world.home, tmpDir: world.root },
    clock: { now: () => new Date(0) },
    log: { debug: silent, info: (_message, fields = {}) => void logged.push(fields), warn: silent, error: silent },
    readonly: true,
    flaggedPlugins: 0,
  });
  return { ...opened, world, logged };
}

describe('a third-party plugin with a section of the configuration', () => {
  it('receives the values of its section as its configuration', async () => {
    const opened = await openWith('plugins = ["kebab-plugin-journal"]\n[journal]\nmax_depth = 5\n');
    await opened.components.get('hook', 'journal');
    const folder = path.join(opened.world.home, '.local/share/kebab/journals');
    expect(opened.logged).toEqual([{ maxDepth: 5, folder }]);
  });

  it('prefers what is set under `plugins` to its section', async () => {
    const entry = '{ name = "kebab-plugin-journal", config = { maxDepth = 7 } }';
    const opened = await openWith(`plugins = [${entry}]\n[journal]\nmax_depth = 5\n`);
    await opened.components.get('hook', 'journal');
    expect(opened.logged).toMatchObject([{ maxDepth: 7 }]);
  });

  it('derives from its section what its `settings` select', async () => {
    const code = CODE.replace(
      'contributes:',
      'settings: ({ section }) => ({ depth: section.maxDepth * 2 }), contributes:',
    );
    const opened = await openWith('plugins = ["kebab-plugin-journal"]\n[journal]\nmax_depth = 5\n', { code });
    await opened.components.get('hook', 'journal');
    expect(opened.logged).toEqual([{ depth: 10 }]);
  });

  it('does not run when its section takes the place of another, and reports it', async () => {
    const opened = await openWith('plugins = ["kebab-plugin-journal"]\n', { section: { ...SECTION, name: 'search' } });
    expect(opened.told.lines).toEqual([
      'plugin kebab-plugin-journal does not run: search of the configuration is already used by search; see `kebab plugin list`',
    ]);
    expect(opened.reports().find(({ name }) => name === 'kebab-plugin-journal')).toMatchObject({ state: 'failed' });
    await expect(opened.components.get('hook', 'journal')).rejects.toMatchObject({ code: 'config_invalid' });
  });
});

describe('a configured name that no plugin has', () => {
  const misnamed = async (userFile: string): Promise<unknown> => (await openWith(userFile)).misnamed;

  it.each([
    ['[ocr]\nengine = "tesserct"', 'ocr.engine', 'tesseract'],
    ['[caption]\nprovider = "ollma"', 'caption.provider', 'ollama'],
    ['[storage]\nvector_store = "qdrnt"', 'storage.vector_store', 'qdrant'],
    ['[storage]\nvector_store = "foo"', 'storage.vector_store', null],
    ['[models.embedding]\nprovider = "transformer"', 'models.embedding.provider', 'transformers'],
    ['[models.llm]\nprovider = "openia"', 'models.llm.provider', 'openai'],
    ['[models.rerank]\nprovider = "transfomers"', 'models.rerank.provider', 'transformers'],
    ['[models.nli]\nprovider = "transfomers"', 'models.nli.provider', 'transformers'],
    ['[chunking]\nchunker_version = "md-heading-v2"', 'chunking.chunker_version', 'md-heading-v1'],
  ])('is rejected: %s', async (userFile, key, suggestion) => {
    expect(await misnamed(userFile)).toMatchObject({ code: 'config_invalid', details: { key, suggestion } });
  });

  it('is accepted when it is an id of an installed plugin, or of kebab even if that plugin is disabled', async () => {
    const plugin = 'plugins = ["kebab-plugin-journal"]\n[ocr]\nengine = "journal"';
    const kebab = { apiVersion: 1, contributes: { ocr: ['journal'] } };
    const code = 'export default { contributes: { ocr: { journal: () => ({}) } } };';
    expect((await openWith(plugin, { section: undefined, code, kebab })).misnamed).toBeNull();
    expect(
      await misnamed('[[plugins]]\nname = "@kebab/plugin-image-ocr"\nenabled = false\n[ocr]\nengine = "tesseract"'),
    ).toBeNull();
  });

  it('is accepted when it may be that of an unreadable plugin', async () => {
    expect(await misnamed('plugins = ["kebab-plugin-lost"]\n[ocr]\nengine = "lost"')).toBeNull();
  });
});

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

const name = (kind: PluginKind): ComponentName => ({
  kind,
  id: 'x',
  plugin: 'acme',
  pluginVersion: '1.0.0',
  policy: trustPolicyOf({ origin: 'package' }),
});

describe('PluginNotices', () => {
  it('reports each notice once and appends it, so that lines can be printed incrementally', () => {
    const notices = new PluginNotices(['known before']);
    notices.broken(name('extractor'), new Error('acme@1.0.0/create failed: no luck'));
    const first = notices.lines;
    notices.broken(name('extractor'), new Error('acme@1.0.0/create failed: again'));
    notices.failedCall(name('hook'), attributedFailure(new Error('no luck'), name('hook'), 'onAnswer'));
    expect(first).toEqual(['known before', 'plugin acme@1.0.0/create failed: no luck; see `kebab plugin doctor`']);
    expect(notices.lines.slice(first.length)).toEqual([
      'plugin acme@1.0.0/onAnswer failed: no luck; update acme@1.0.0, or take it out of `plugins`; `kebab plugin doctor` looks closer',
    ]);
    expect([notices.reasonOf('acme'), notices.reasonOf('other')]).toEqual([
      'acme@1.0.0/create failed: again',
      undefined,
    ]);
  });

  it('omits what a search or an error reports itself', () => {
    const notices = new PluginNotices([]);
    for (const kind of ['embedder', 'reranker', 'vector_store'] as const)
      notices.failedCall(name(kind), attributedFailure(new Error('no luck'), name(kind), 'call'));
    expect(notices.lines).toEqual([]);
  });

  it('reports once that a plugin fails on files, and nothing about files that are at fault themselves', () => {
    const notices = new PluginNotices([]);
    const plugin = { name: 'acme', version: '1.0.0' };
    notices.failedFile(new Error('cancelled'));
    for (const file of ['a', 'b'])
      notices.failedFile(
        pluginFailure(new Error('no luck'), { plugin, kind: 'extractor', stage: 'extract', path: file }),
      );
    expect(notices.lines).toEqual([
      'plugin acme@1.0.0 fails on files: update it, or take it out of `plugins`; `kebab plugin test` shows its author more',
    ]);
  });
});
