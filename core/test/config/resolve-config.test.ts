import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { configView } from '../../src/config/config-view.ts';
import { trustStoreIn, writeTrusted } from '../../src/config/trust-store.ts';
import { blake3Hex } from '../../src/domain/blake3.ts';
import { ConfigWorld } from './config-world.ts';

let world: ConfigWorld;
beforeEach(() => {
  world = new ConfigWorld();
});
afterEach(() => world.remove());

function trust(file: string, text: string): void {
  writeTrusted(trustStoreIn(path.join(world.home, '.local/state/kebab')), [{ path: file, hash: blake3Hex(text) }]);
}

describe('resolveConfig without files', () => {
  it('gives the defaults, with absolute paths', async () => {
    const { config, origins, files, notices } = await world.resolve();
    expect(config.workspace.root).toBe(path.join(world.home, 'KnowledgeBase'));
    expect(config.storage.sqlite).toBe(path.join(world.home, '.local/share/kebab/kebab.sqlite'));
    expect(config.search.defaultK).toBe(10);
    expect(config.models.embedding.dimensions).toBeNull();
    expect(new Set([...origins.values()].map(({ origin }) => origin))).toEqual(new Set(['default']));
    expect(files).toEqual([{ path: world.userFile, trusted: true, exists: false }]);
    expect(notices).toEqual([]);
  });

  it('follows the XDG variables', async () => {
    const { config, folders } = await world.resolve({ env: { XDG_DATA_HOME: '/d', XDG_STATE_HOME: '/s' } });
    expect(config.storage.vectorDir).toBe('/d/kebab/vectors');
    expect(folders.state).toBe('/s/kebab');
  });
});

describe('precedence', () => {
  it('is default < user file < project file < environment', async () => {
    world.write(world.userFile, '[search]\ndefault_k = 1\nsnippet_chars = 100\nrrf_k = 7\n');
    const project = world.write('kebab.toml', '[search]\ndefault_k = 2\nsnippet_chars = 200\n');
    const { config, origins, files } = await world.resolve({ env: { KEBAB_SEARCH_DEFAULT_K: '3' } });
    expect(config.search).toMatchObject({ defaultK: 3, snippetChars: 200, rrfK: 7, candidates: 200 });
    expect(origins.get('search.default_k')).toEqual({ origin: 'env', variable: 'KEBAB_SEARCH_DEFAULT_K' });
    expect(origins.get('search.snippet_chars')).toEqual({ origin: 'file', path: project });
    expect(origins.get('search.rrf_k')).toEqual({ origin: 'file', path: world.userFile });
    expect(origins.get('search.candidates')).toEqual({ origin: 'default' });
    expect(files).toEqual([
      { path: world.userFile, trusted: true, exists: true },
      { path: project, trusted: false, exists: true },
    ]);
  });

  it('is highest for a flag: the password of PDF files', async () => {
    const typed = await world.resolve({ env: { KEBAB_PDF_PASSWORD: 'set' }, flags: { pdfPassword: 'typed' } });
    expect(typed.config.pdf.password).toBe('typed');
    expect(typed.origins.get('pdf.password')).toEqual({ origin: 'flag', flag: '--pdf-password' });
    const shown = configView(typed).entries.find(({ key }) => key === 'pdf.password');
    expect(shown).toEqual({ key: 'pdf.password', value: '***', origin: 'flag' });
  });

  it.each(['kebab.json', 'kebab.yaml', 'kebab.yml'])('holds for %s as well', async (name) => {
    world.write(name, '{"search": {"default_k": 2}, "workspace": {"root": "notes"}}');
    const { config } = await world.resolve();
    expect(config.search.defaultK).toBe(2);
    expect(config.workspace.root).toBe(path.join(world.project, 'notes'));
  });

  it('lets --config replace both files, and believes it', async () => {
    world.write(world.userFile, '[search]\ndefault_k = 1\n');
    world.write('kebab.toml', '[search]\nrrf_k = 2\n');
    const named = world.write('deep/own.toml', '[models.llm]\nendpoint = "https://llm.example"\n');
    const { config, files, userFile } = await world.resolve({ flags: { config: 'own.toml' } });
    expect(config.search).toMatchObject({ defaultK: 10, rrfK: 60 });
    expect(config.models.llm.endpoint).toBe('https://llm.example');
    expect(files).toEqual([{ path: named, trusted: true, exists: true }]);
    expect(userFile).toBe(named);
  });

  it('replaces lists as a whole', async () => {
    world.write(world.userFile, '[workspace]\nexclude = ["a", "b"]\n');
    world.write('kebab.toml', '[workspace]\nexclude = ["c"]\n');
    expect((await world.resolve()).config.workspace.exclude).toEqual(['c']);
  });

  it('tells of a project file that another in its folder hides', async () => {
    world.write('kebab.toml', '');
    const hidden = world.write('kebab.json', '{}');
    expect((await world.resolve()).notices).toEqual([expect.stringContaining(`${hidden} is ignored`)]);
  });
});

describe('relative paths', () => {
  it('are relative to the file that says them, or to the working directory', async () => {
    world.write(world.userFile, '[workspace]\nroot = "kb"\n[storage]\nmodel_dir = "{data_dir}/m"\n');
    world.write('kebab.toml', '[storage]\ndata_dir = ".kebab"\n[mcp]\ningest_roots = ["../in"]\n');
    const { config } = await world.resolve({ env: { KEBAB_STORAGE_RUNS_DIR: 'runs' } });
    expect(config.workspace.root).toBe(path.join(world.home, '.config/kebab/kb'));
    expect(config.storage.dataDir).toBe(path.join(world.project, '.kebab'));
    expect(config.storage.modelDir).toBe(path.join(world.project, '.kebab/m'));
    expect(config.storage.sqlite).toBe(path.join(world.project, '.kebab/kebab.sqlite'));
    expect(config.storage.runsDir).toBe(path.join(world.cwd, 'runs'));
    expect(config.mcp.ingestRoots).toEqual([path.join(world.root, 'work/in')]);
  });

  it('fail when they cannot be expanded, naming file and key', async () => {
    const file = world.write('kebab.toml', '[storage]\ndata_dir = "{data_dir}/x"\n');
    const error = await world.failure();
    expect(error.details).toMatchObject({ path: file, key: 'storage.data_dir' });
  });
});

describe('sources', () => {
  it('get an absolute root and the lists of the workspace', async () => {
    world.write(
      'kebab.toml',
      `[workspace]
exclude = ["tmp/"]
[[workspace.sources]]
id = "papers"
root = "../papers"
trust_level = "secondary"
[[workspace.sources]]
id = "mail"
root = "INBOX"
connector = "imap"
include = ["*.eml"]
`,
    );
    expect((await world.resolve()).config.workspace.sources).toEqual([
      {
        id: 'papers',
        root: path.join(world.root, 'work/papers'),
        connector: 'fs',
        include: ['**/*'],
        exclude: ['tmp/'],
        trustLevel: 'secondary',
        sourceType: null,
      },
      {
        id: 'mail',
        root: 'INBOX',
        connector: 'imap',
        include: ['*.eml'],
        exclude: ['tmp/'],
        trustLevel: null,
        sourceType: null,
      },
    ]);
  });
});

describe('plugins', () => {
  it('keep package names and make paths absolute', async () => {
    world.write(
      world.userFile,
      'plugins = ["epub", "./own.mjs", { name = "~/p", config = { a = 1 }, enabled = false }]\n',
    );
    const { config, pluginsFrom } = await world.resolve();
    expect(config.plugins).toEqual([
      { name: 'epub', config: {}, enabled: true },
      { name: path.join(world.home, '.config/kebab/own.mjs'), config: {}, enabled: true },
      { name: path.join(world.home, 'p'), config: { a: 1 }, enabled: false },
    ]);
    expect(pluginsFrom).toBe(world.userFile);
  });

  it('named by flags come first, relative to the working directory', async () => {
    world.write(world.userFile, 'plugins = ["epub"]\n');
    const { config, origins } = await world.resolve({ flags: { plugins: ['p1', '../p2'] } });
    expect(config.plugins.map(({ name }) => name)).toEqual([
      path.join(world.cwd, 'p1'),
      path.join(world.project, 'p2'),
      'epub',
    ]);
    expect(origins.get('plugins')).toEqual({ origin: 'flag', flag: '--plugin' });
  });

  it('are all off with KEBAB_PLUGINS=none', async () => {
    world.write(world.userFile, 'plugins = ["epub"]\n');
    const { config, notices } = await world.resolve({ env: { KEBAB_PLUGINS: 'none' }, flags: { plugins: ['p'] } });
    expect(config.plugins).toEqual([]);
    expect(notices).toEqual([expect.stringContaining('--plugin is ignored')]);
  });
});

describe('trust', () => {
  const text = 'plugins = ["evil"]\n[models.llm]\nendpoint = "https://llm.example"\nseed = 4\n';

  it('is what a project file lacks: such keys are ignored and told', async () => {
    const file = world.write('kebab.toml', text);
    const { config, notices, origins } = await world.resolve();
    expect(config.plugins).toEqual([]);
    expect(config.models.llm).toMatchObject({ endpoint: 'http://127.0.0.1:11434', seed: 4 });
    expect(origins.get('models.llm.endpoint')).toEqual({ origin: 'default' });
    expect(notices).toEqual([
      expect.stringMatching(/^plugins in .* is ignored: it enables the plugin evil/),
      expect.stringMatching(/^models\.llm\.endpoint in .* points away from this machine/),
    ]);
    for (const notice of notices) expect(notice).toContain(`kebab trust ${file}`);
  });

  it.each(['kebab.toml', 'kebab.yaml'])('is given to the content of %s, and ends with an edit', async (name) => {
    const content = name.endsWith('toml') ? text : 'models: {llm: {endpoint: "https://llm.example"}}\n';
    const file = world.write(name, content);
    trust(file, content);
    const trusted = await world.resolve();
    expect(trusted.config.models.llm.endpoint).toBe('https://llm.example');
    expect(trusted.files[1]).toEqual({ path: file, trusted: true, exists: true });
    expect(trusted.notices).toEqual([]);
    world.write(name, `${content}# edited\n`);
    const edited = await world.resolve();
    expect(edited.config.models.llm.endpoint).toBe('http://127.0.0.1:11434');
    expect(edited.files[1]?.trusted).toBe(false);
  });

  it('goes by real path', async () => {
    const real = world.write('../elsewhere/kebab.toml', text);
    symlinkSync(real, path.join(world.project, 'kebab.toml'));
    trust(real, text);
    expect((await world.resolve()).config.models.llm.endpoint).toBe('https://llm.example');
  });

  it('is nobody’s when the list is damaged, and says so', async () => {
    world.write('kebab.toml', text);
    world.write(path.join(world.home, '.local/state/kebab/trust.json'), '{');
    const { config, notices } = await world.resolve();
    expect(config.plugins).toEqual([]);
    expect(notices[0]).toContain('no project file is trusted');
  });

  it('is not asked of the user’s own file, the environment or a flag', async () => {
    world.write(world.userFile, text);
    const { config } = await world.resolve({ env: { KEBAB_STORAGE_QDRANT_URL: 'https://q.example' } });
    expect(config.models.llm.endpoint).toBe('https://llm.example');
    expect(config.storage.qdrant.url).toBe('https://q.example');
  });

  it('is not asked for the settings of a built-in plugin', async () => {
    world.write('kebab.toml', 'plugins = [{ name = "@kebab/plugin-md", config = { a = 1 } }]\n');
    const { config, notices } = await world.resolve({ builtinPlugins: ['@kebab/plugin-md'] });
    expect(config.plugins).toEqual([{ name: '@kebab/plugin-md', config: { a: 1 }, enabled: true }]);
    expect(notices).toEqual([]);
  });
});

describe('what is wrong', () => {
  it('in a file is named with file and key', async () => {
    const file = world.write('kebab.yaml', 'search: {default_k: 1000}');
    const error = await world.failure();
    expect(error.details).toMatchObject({ path: file, key: 'search.default_k' });
    expect(error.message).toBe(`${file}: search.default_k: must be a whole number from 1 to 100, not 1000`);
  });

  it('with --config is config_not_found', async () => {
    await expect(world.resolve({ flags: { config: 'none.toml' } })).rejects.toMatchObject({
      code: 'config_not_found',
      details: { path: path.join(world.cwd, 'none.toml') },
    });
  });

  it.each([
    ['[indexing]\nwatch_filesystem = true', 'indexing.watch_filesystem'],
    ['[chunking]\noverlap_tokens = 500', 'chunking.overlap_tokens'],
    ['[chunking]\ntarget_tokens = 64', 'chunking.target_tokens'],
    ['[chunking]\nmax_chunk_tokens = 499', 'chunking.max_chunk_tokens'],
    ['[chunking]\ntarget_tokens = 15', 'chunking.target_tokens'],
    ['[code]\nwindow_lines = 20', 'code.window_lines'],
    ['[search]\nweight_lexical = 0\nweight_vector = 0', 'search.weight_lexical'],
    ['[search]\nsnippet_chars = 59', 'search.snippet_chars'],
    ['[rag]\nprompt_template_version = "rag-v9"', 'rag.prompt_template_version'],
    ['[rag]\nmulti_hop_max_sub_queries = 11', 'rag.multi_hop_max_sub_queries'],
    ['[[workspace.sources]]\nid = "default"\nroot = "a"', 'workspace.sources'],
    ['[[workspace.sources]]\nid = "external"\nroot = "a"', 'workspace.sources'],
    ['[[workspace.sources]]\nid = "a"\nroot = "a"\n[[workspace.sources]]\nid = "a"\nroot = "b"', 'workspace.sources'],
  ])('between keys is wrong as well: %s', async (toml, key) => {
    const file = world.write('kebab.toml', toml);
    expect((await world.failure()).details).toMatchObject({ path: file, key });
  });

  it('is blamed on what was set, not on a default', async () => {
    const error = await world.failure({ env: { KEBAB_CHUNKING_TARGET_TOKENS: '64' } });
    expect(error.message).toMatch(/^KEBAB_CHUNKING_TARGET_TOKENS: .*overlap_tokens \(80\) must be less than/);
  });
});

describe('unknown variables', () => {
  it('are told, with a suggestion', async () => {
    const { notices } = await world.resolve({ env: { KEBAB_SERCH_DEFAULT_K: '3' } });
    expect(notices).toEqual([
      'unknown environment variable KEBAB_SERCH_DEFAULT_K is ignored; did you mean KEBAB_SEARCH_DEFAULT_K?',
    ]);
  });

  it('are known when a path uses them', async () => {
    world.write('kebab.toml', '[workspace]\nroot = "${KEBAB_NOTES_ROOT:-notes}"\n');
    const { config, notices } = await world.resolve({ env: { KEBAB_NOTES_ROOT: '/n' } });
    expect(config.workspace.root).toBe('/n');
    expect(notices).toEqual([]);
  });
});

describe('ignoreUserFile', () => {
  it('resolves as if the file that is about to be written were not there', async () => {
    world.write(world.userFile, 'not toml at all');
    const { config, files } = await world.resolve({ ignoreUserFile: true });
    expect(config.search.defaultK).toBe(10);
    expect(files[0]).toEqual({ path: world.userFile, trusted: true, exists: true });
    const named = await world.resolve({ ignoreUserFile: true, flags: { config: 'new.toml' } });
    expect(named.userFile).toBe(path.join(world.cwd, 'new.toml'));
  });
});
