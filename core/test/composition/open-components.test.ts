import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { builtins } from '@kebab/builtins';
import { PARTS, port } from '../../src/composition/app-tokens.ts';
import { Bindings } from '../../src/composition/bindings.ts';
import { bindComponents } from '../../src/composition/open-components.ts';
import type { LogFields } from '../../src/contracts/contribution.ts';
import { ConfigWorld } from '../config/config-world.ts';

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

/** The components bound for a user's file, with a plugin installed in kebab's own plugin folder. */
async function openWith(
  userFile: string,
  {
    section = SECTION,
    code = CODE,
    kebab = { apiVersion: 1, contributes: { hook: ['journal'] }, section },
  }: { readonly section?: unknown; readonly code?: string; readonly kebab?: unknown } = {},
): Promise<{ readonly bindings: Bindings; readonly world: ConfigWorld; readonly logged: readonly LogFields[] }> {
  const world = new ConfigWorld();
  onTestFinished(() => world.remove());
  const folder = path.join(world.home, '.local/share/kebab/plugins/node_modules/kebab-plugin-journal');
  const packageJson = { name: 'kebab-plugin-journal', version: '1.0.0', type: 'module', kebab };
  world.write(path.join(folder, 'package.json'), JSON.stringify(packageJson));
  world.write(path.join(folder, 'index.js'), code);
  world.write(world.userFile, userFile);
  const logged: LogFields[] = [];
  const silent = (): void => {};
  const resolution = await world.resolve();
  const bindings = new Bindings()
    .provide(port('resolution'), () => resolution)
    .provide(port('config'), () => resolution.config)
    .provide(port('clock'), () => ({ now: () => new Date(0) }))
    .provide(port('log'), () => ({
      debug: silent,
      info: (_message, fields = {}) => void logged.push(fields),
      warn: silent,
      error: silent,
    }))
    .provide(PARTS.environment, () => ({ cwd: world.cwd, env: {}, homeDir: world.home, tmpDir: world.root }))
    .provide(PARTS.readonly, () => true)
    .provide(PARTS.workerUrl, () => undefined);
  await bindComponents(bindings, { builtins, flaggedPlugins: 0 });
  return { bindings, world, logged };
}

describe('a third-party plugin with a section of the configuration', () => {
  it('receives the values of its section as its configuration', async () => {
    const opened = await openWith('plugins = ["kebab-plugin-journal"]\n[journal]\nmax_depth = 5\n');
    await opened.bindings.get(port('components')).get('hook', 'journal');
    const folder = path.join(opened.world.home, '.local/share/kebab/journals');
    expect(opened.logged).toEqual([{ maxDepth: 5, folder }]);
  });

  it('prefers what is set under `plugins` to its section', async () => {
    const entry = '{ name = "kebab-plugin-journal", config = { maxDepth = 7 } }';
    const opened = await openWith(`plugins = [${entry}]\n[journal]\nmax_depth = 5\n`);
    await opened.bindings.get(port('components')).get('hook', 'journal');
    expect(opened.logged).toMatchObject([{ maxDepth: 7 }]);
  });

  it('derives from its section what its `settings` select', async () => {
    const code = CODE.replace(
      'contributes:',
      'settings: ({ section }) => ({ depth: section.maxDepth * 2 }), contributes:',
    );
    const opened = await openWith('plugins = ["kebab-plugin-journal"]\n[journal]\nmax_depth = 5\n', { code });
    await opened.bindings.get(port('components')).get('hook', 'journal');
    expect(opened.logged).toEqual([{ depth: 10 }]);
  });

  it('does not run when its section takes the place of another, and reports it', async () => {
    const opened = await openWith('plugins = ["kebab-plugin-journal"]\n', { section: { ...SECTION, name: 'search' } });
    expect(opened.bindings.get(PARTS.notices).lines).toEqual([
      'plugin kebab-plugin-journal does not run: search of the configuration is already used by search; see `kebab plugin list`',
    ]);
    expect(
      opened.bindings
        .get(port('pluginReports'))()
        .find(({ name }) => name === 'kebab-plugin-journal'),
    ).toMatchObject({ state: 'failed' });
    await expect(opened.bindings.get(port('components')).get('hook', 'journal')).rejects.toMatchObject({
      code: 'config_invalid',
    });
  });
});

describe('a configured name that no plugin has', () => {
  const misnamed = async (userFile: string): Promise<unknown> =>
    (await openWith(userFile)).bindings.get(PARTS.installed).misnamed;

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
    const { bindings } = await openWith(plugin, { section: undefined, code, kebab });
    expect(bindings.get(PARTS.installed).misnamed).toBeNull();
    expect(
      await misnamed('[[plugins]]\nname = "@kebab/plugin-image-ocr"\nenabled = false\n[ocr]\nengine = "tesseract"'),
    ).toBeNull();
  });

  it('is accepted when it may be that of an unreadable plugin', async () => {
    expect(await misnamed('plugins = ["kebab-plugin-lost"]\n[ocr]\nengine = "lost"')).toBeNull();
  });
});
