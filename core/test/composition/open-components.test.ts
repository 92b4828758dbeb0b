import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { builtins } from '@kebab/builtins';
import { openComponents, type OpenComponents } from '../../src/composition/open-components.ts';
import type { LogFields } from '../../src/contracts/contribution.ts';
import { ConfigWorld } from '../config/config-world.ts';

/** A hook whose factory logs the configuration that it was given. */
const CODE = `export default { contributes: { hook: { journal: ({ log, config }) => (log.info('made', config), {}) } } };`;
const SECTION = {
  name: 'journal',
  doc: 'Journals.',
  keys: {
    max_depth: { kind: 'int', default: 3, doc: 'How deep.' },
    folder: { kind: 'path', default: '{data_dir}/journals', doc: 'Where they lie.' },
  },
};

/** Opens the components of a user's file, with a plugin installed in kebab's own plugin folder. */
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
  it('is given the values of its section as its configuration', async () => {
    const opened = await openWith('plugins = ["kebab-plugin-journal"]\n[journal]\nmax_depth = 5\n');
    await opened.components.get('hook', 'journal');
    const folder = path.join(opened.world.home, '.local/share/kebab/journals');
    expect(opened.logged).toEqual([{ maxDepth: 5, folder }]);
  });

  it('has what is written under `plugins` win over its section', async () => {
    const entry = '{ name = "kebab-plugin-journal", config = { maxDepth = 7 } }';
    const opened = await openWith(`plugins = [${entry}]\n[journal]\nmax_depth = 5\n`);
    await opened.components.get('hook', 'journal');
    expect(opened.logged).toMatchObject([{ maxDepth: 7 }]);
  });

  it('takes from its section what its `settings` choose', async () => {
    const code = CODE.replace(
      'contributes:',
      'settings: ({ section }) => ({ depth: section.maxDepth * 2 }), contributes:',
    );
    const opened = await openWith('plugins = ["kebab-plugin-journal"]\n[journal]\nmax_depth = 5\n', { code });
    await opened.components.get('hook', 'journal');
    expect(opened.logged).toEqual([{ depth: 10 }]);
  });

  it('does not run when its section takes the place of another, and says so', async () => {
    const opened = await openWith('plugins = ["kebab-plugin-journal"]\n', { section: { ...SECTION, name: 'search' } });
    expect(opened.told.lines).toEqual([
      'plugin kebab-plugin-journal does not run: search of the configuration is taken by search; see `kebab plugin list`',
    ]);
    expect(opened.reports().find(({ name }) => name === 'kebab-plugin-journal')).toMatchObject({ state: 'failed' });
    await expect(opened.components.get('hook', 'journal')).rejects.toMatchObject({ code: 'config_invalid' });
  });
});

describe('a name in the configuration that no plugin has', () => {
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
  ])('is refused: %s', async (userFile, key, suggestion) => {
    expect(await misnamed(userFile)).toMatchObject({ code: 'config_invalid', details: { key, suggestion } });
  });

  it('is the id of an installed plugin, or one of kebab when that plugin is switched off, and fine', async () => {
    const plugin = 'plugins = ["kebab-plugin-journal"]\n[ocr]\nengine = "journal"';
    const kebab = { apiVersion: 1, contributes: { ocr: ['journal'] } };
    const code = 'export default { contributes: { ocr: { journal: () => ({}) } } };';
    expect((await openWith(plugin, { section: undefined, code, kebab })).misnamed).toBeNull();
    expect(
      await misnamed('[[plugins]]\nname = "@kebab/plugin-image-ocr"\nenabled = false\n[ocr]\nengine = "tesseract"'),
    ).toBeNull();
  });

  it('may be that of a plugin that could not be looked at', async () => {
    expect(await misnamed('plugins = ["kebab-plugin-lost"]\n[ocr]\nengine = "lost"')).toBeNull();
  });
});
