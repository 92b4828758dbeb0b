import { chmodSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { configView } from '../../src/config/annotated-config.ts';
import { trustStoreIn, writeTrusted } from '../../src/config/trust-store.ts';
import { blake3Hex } from '../../src/domain/blake3.ts';
import { ConfigWorld } from './config-world.ts';

let world: ConfigWorld;
beforeEach(() => {
  world = new ConfigWorld();
});
afterEach(() => world.remove());

function trust(file: string, text: string): void {
  const plugins: Record<string, string | null> = {};
  writeTrusted(trustStoreIn(path.join(world.home, '.local/state/kebab')), [
    { path: file, hash: blake3Hex(text), plugins },
  ]);
}

describe('resolveConfig without files', () => {
  it('returns the defaults, with absolute paths', async () => {
    const { config, origins, files, notices } = await world.resolve();
    expect(config.workspace.root).toBe(path.join(world.home, 'KnowledgeBase'));
    expect(config.storage.sqlite).toBe(path.join(world.home, '.local/share/kebab/kebab.sqlite'));
    expect(config.search.defaultK).toBe(10);
    expect(config.models.embedding.dimensions).toBeNull();
    expect(origins).toEqual(new Map());
    expect(files).toEqual([{ path: world.userFile, trusted: true, exists: false, ignored: [] }]);
    expect(notices).toEqual([]);
  });

  it('searches for files where the XDG variables point', async () => {
    const { config, folders } = await world.resolve({ env: { XDG_DATA_HOME: '/d', XDG_STATE_HOME: '/s' } });
    expect(config.storage.runsDir).toBe('/d/kebab/runs');
    expect(folders.state).toBe('/s/kebab');
  });
});

describe('precedence', () => {
  it('is default < user file < project file < environment', async () => {
    world.write(world.userFile, '[search]\ndefault_k = 1\nsnippet_chars = 100\nrrf_k = 7\n');
    const project = await world.writeTrusted('kebab.toml', '[search]\ndefault_k = 2\nsnippet_chars = 200\n');
    const { config, origins, files } = await world.resolve({ env: { KEBAB_SEARCH_DEFAULT_K: '3' } });
    expect(config.search).toMatchObject({ defaultK: 3, snippetChars: 200, rrfK: 7, candidates: 200 });
    expect(origins.get('search.default_k')).toEqual({ origin: 'env', variable: 'KEBAB_SEARCH_DEFAULT_K' });
    expect(origins.get('search.snippet_chars')).toEqual({ origin: 'file', path: project });
    expect(origins.get('search.rrf_k')).toEqual({ origin: 'file', path: world.userFile });
    expect(origins.has('search.candidates')).toBe(false);
    expect(files).toEqual([
      { path: world.userFile, trusted: true, exists: true, ignored: [] },
      { path: project, trusted: true, exists: true, ignored: [] },
    ]);
  });

  it('is highest for a flag: the password of PDF files', async () => {
    const typed = await world.resolve({
      env: { KEBAB_PDF_PASSWORD: 'set' },
      flags: { values: [{ key: 'pdf.password', flag: '--pdf-password', value: 'typed' }] },
    });
    expect(typed.config).toHaveProperty('pdf.password', 'typed');
    expect(typed.origins.get('pdf.password')).toEqual({ origin: 'flag', flag: '--pdf-password' });
    const shown = configView(typed).entries.find(({ key }) => key === 'pdf.password');
    expect(shown).toEqual({ key: 'pdf.password', value: '***', origin: 'flag' });
  });

  it.each(['kebab.json', 'kebab.yaml', 'kebab.yml'])('holds for %s as well', async (name) => {
    await world.writeTrusted(name, '{"search": {"default_k": 2}, "workspace": {"root": "notes"}}');
    const { config } = await world.resolve();
    expect(config.search.defaultK).toBe(2);
    expect(config.workspace.root).toBe(path.join(world.project, 'notes'));
  });

  it('lets --config replace both files, and trusts it', async () => {
    world.write(world.userFile, '[search]\ndefault_k = 1\n');
    world.write('kebab.toml', '[search]\nrrf_k = 2\n');
    const named = world.write('deep/own.toml', '[models.llm]\nendpoint = "https://llm.example"\n');
    const { config, files, userFile } = await world.resolve({ flags: { config: 'own.toml' } });
    expect(config.search).toMatchObject({ defaultK: 10, rrfK: 60 });
    expect(config.models.llm.endpoint).toBe('https://llm.example');
    expect(files).toEqual([{ path: named, trusted: true, exists: true, ignored: [] }]);
    expect(userFile).toBe(named);
  });

  it('replaces lists as a whole', async () => {
    world.write(world.userFile, '[workspace]\nexclude = ["a", "b"]\n');
    world.write('kebab.toml', '[workspace]\nexclude = ["c"]\n');
    expect((await world.resolve()).config.workspace.exclude).toEqual(['c']);
  });

  it('reports a project file that another one in its folder shadows', async () => {
    world.write('kebab.toml', '');
    const hidden = world.write('kebab.json', '{}');
    expect((await world.resolve()).notices).toEqual([expect.stringContaining(`${hidden} is ignored`)]);
  });
});

describe('relative paths', () => {
  it('are relative to the file that contains them, or to the working directory', async () => {
    world.write(world.userFile, '[workspace]\nroot = "kb"\n[storage]\nmodel_dir = "{data_dir}/m"\n');
    await world.writeTrusted('kebab.toml', '[storage]\ndata_dir = ".kebab"\n[mcp]\ningest_roots = ["../in"]\n');
    const { config } = await world.resolve({ env: { KEBAB_STORAGE_RUNS_DIR: 'runs' } });
    expect(config.workspace.root).toBe(path.join(world.home, '.config/kebab/kb'));
    expect(config.storage.dataDir).toBe(path.join(world.project, '.kebab'));
    expect(config.storage.modelDir).toBe(path.join(world.project, '.kebab/m'));
    expect(config.storage.sqlite).toBe(path.join(world.project, '.kebab/kebab.sqlite'));
    expect(config.storage.runsDir).toBe(path.join(world.cwd, 'runs'));
    expect(config.mcp.ingestRoots).toEqual([path.join(world.root, 'work/in')]);
  });

  it('fail when they cannot be expanded, naming file and key', async () => {
    const file = await world.writeTrusted('kebab.toml', '[storage]\ndata_dir = "{data_dir}/x"\n');
    const error = await world.failure();
    expect(error.details).toMatchObject({ path: file, key: 'storage.data_dir' });
  });
});

describe('an invalid value in a file', () => {
  it('is corrected by the command that the hint names', async () => {
    world.write(world.userFile, '[search]\ndefault_k = "many"\n');
    expect((await world.failure()).hint).toBe(
      'correct it there, with an editor or `kebab config set search.default_k VALUE`',
    );
  });
});

describe('sources', () => {
  it('get an absolute root and the lists of the workspace', async () => {
    await world.writeTrusted(
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
    const { config, pluginFolder } = await world.resolve();
    expect(config.plugins).toEqual([
      { name: 'epub', config: {}, enabled: true },
      { name: path.join(world.home, '.config/kebab/own.mjs'), config: {}, enabled: true },
      { name: path.join(world.home, 'p'), config: { a: 1 }, enabled: false },
    ]);
    expect(pluginFolder).toBe(path.join(world.home, '.local/share/kebab/plugins'));
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

  it('named by the environment are absolute paths or installed packages, never relative to the working directory', async () => {
    const { config } = await world.resolve({ env: { KEBAB_PLUGINS: '~/own.mjs,epub' } });
    expect(config.plugins.map(({ name }) => name)).toEqual([path.join(world.home, 'own.mjs'), 'epub']);
    const error = await world.failure({ env: { KEBAB_PLUGINS: 'epub,./own.mjs' } });
    expect(error.message).toBe(
      'KEBAB_PLUGINS: must name ./own.mjs by its absolute path, or an installed plugin by its name',
    );
  });

  it('are all disabled by KEBAB_PLUGINS=none', async () => {
    world.write(world.userFile, 'plugins = ["epub"]\n');
    const { config, notices } = await world.resolve({ env: { KEBAB_PLUGINS: 'none' }, flags: { plugins: ['p'] } });
    expect(config.plugins).toEqual([]);
    expect(notices).toEqual([expect.stringContaining('--plugin is ignored')]);
  });
});

describe('trust', () => {
  const text = 'plugins = ["evil"]\n[models.llm]\nendpoint = "https://llm.example"\nseed = 4\n';

  it('is missing for a new project file: keys that require it are ignored, which is reported once', async () => {
    const file = world.write('kebab.toml', text);
    const { config, notices, origins } = await world.resolve();
    expect(config.plugins).toEqual([]);
    expect(config.models.llm).toMatchObject({ endpoint: 'http://127.0.0.1:11434', seed: 0 });
    expect(origins.has('models.llm.endpoint')).toBe(false);
    expect(notices).toEqual([
      `plugins, models.llm.endpoint, models.llm.seed in ${file} are ignored: the file is not trusted; ` +
        `see what it asks for and allow it with \`kebab trust ${file}\``,
    ]);
  });

  it.each(['kebab.toml', 'kebab.yaml'])('is bound to the content of %s, and ends with an edit', async (name) => {
    const content = name.endsWith('toml') ? text : 'models: {llm: {endpoint: "https://llm.example"}}\n';
    const file = world.write(name, content);
    trust(file, content);
    const trusted = await world.resolve();
    expect(trusted.config.models.llm.endpoint).toBe('https://llm.example');
    expect(trusted.files[1]).toEqual({ path: file, trusted: true, exists: true, ignored: [] });
    expect(trusted.notices).toEqual([]);
    world.write(name, `${content}# edited\n`);
    const edited = await world.resolve();
    expect(edited.config.models.llm.endpoint).toBe('http://127.0.0.1:11434');
    expect(edited.files[1]?.trusted).toBe(false);
  });

  it('applies to a project file by its real path, so a link to a trusted one is trusted', async () => {
    const real = world.write('../elsewhere/kebab.toml', text);
    symlinkSync(real, path.join(world.project, 'kebab.toml'));
    trust(real, text);
    expect((await world.resolve()).config.models.llm.endpoint).toBe('https://llm.example');
  });

  it('does not apply when the list is damaged, which is reported', async () => {
    world.write('kebab.toml', text);
    world.write(path.join(world.home, '.local/state/kebab/trust.json'), '{');
    const { config, notices } = await world.resolve();
    expect(config.plugins).toEqual([]);
    expect(notices[0]).toContain('no project file is trusted');
  });

  it('is not required for the user’s file, the environment or a flag', async () => {
    world.write(world.userFile, text);
    const { config } = await world.resolve({ env: { KEBAB_STORAGE_QDRANT_URL: 'https://q.example' } });
    expect(config.models.llm.endpoint).toBe('https://llm.example');
    expect(config).toHaveProperty('storage.qdrant.url', 'https://q.example');
  });

  it.each(['kebab.json', 'kebab.toml'])('is required for %s even to name a built-in plugin', async (name) => {
    const json = '{"plugins": ["@kebab/plugin-md"]}';
    world.write(name, name.endsWith('json') ? json : 'plugins = ["@kebab/plugin-md"]\n');
    const { config, files } = await world.resolve();
    expect(config.plugins).toEqual([]);
    expect(files[1]?.ignored).toEqual(['plugins']);
  });

  it.each([
    ['replaces the database', { storage: { sqlite: './evil.sqlite' } }, 'storage.sqlite'],
    ['moves the data folder', { storage: { data_dir: '/elsewhere' } }, 'storage.data_dir'],
    ['widens what an MCP client may ingest', { mcp: { ingest_roots: ['/'] } }, 'mcp.ingest_roots'],
    ['ingests the home folder', { workspace: { root: '~' } }, 'workspace.root'],
    ['adds a source', { workspace: { sources: [{ id: 'a', root: '~' }] } }, 'workspace.sources'],
    ['names a model folder', { models: { embedding: { model: './model' } } }, 'models.embedding.model'],
    [
      'names a URL that looks like loopback',
      { storage: { qdrant: { url: 'http://[::ffff:7f0:808]' } } },
      'storage.qdrant.url',
    ],
    ['names a loopback URL', { models: { llm: { endpoint: 'http://localhost:1' } } }, 'models.llm.endpoint'],
  ])('is required for a file that %s', async (_what, table, key) => {
    const { config: defaults } = await world.resolve();
    world.write('kebab.json', JSON.stringify(table));
    const { config, files } = await world.resolve();
    expect(files[1]?.ignored).toEqual([key]);
    expect(config).toEqual(defaults);
  });

  it('covers the plugins that the file names by path: an edit of one, or of what it imports, ends it', async () => {
    world.write('plugins/own.mjs', `import { a } from './part.mjs';\nexport default a;\n`);
    const part = world.write('plugins/part.mjs', 'export const a = 1;\n');
    const file = await world.writeTrusted('kebab.toml', 'plugins = ["./plugins/own.mjs"]\n');
    expect((await world.resolve()).config.plugins.map(({ name }) => name)).toEqual([
      path.join(world.project, 'plugins/own.mjs'),
    ]);
    world.write(part, 'export const a = 2;\n');
    const { config, files } = await world.resolve();
    expect(files[1]).toMatchObject({ path: file, trusted: false, ignored: ['plugins'] });
    expect(config.plugins).toEqual([]);
  });

  it('resolves relative paths from the real location of the file, not from a link to it', async () => {
    const real = world.write('../elsewhere/kebab.toml', '[storage]\ndata_dir = "data"\n');
    symlinkSync(real, path.join(world.project, 'kebab.toml'));
    trust(real, '[storage]\ndata_dir = "data"\n');
    expect((await world.resolve()).config.storage.dataDir).toBe(path.join(path.dirname(real), 'data'));
  });

  it('is not granted by a list that every user may write', async () => {
    await world.writeTrusted('kebab.toml', text);
    chmodSync(path.join(world.home, '.local/state/kebab/trust.json'), 0o666);
    const { config, notices } = await world.resolve();
    expect(config.models.llm.endpoint).toBe('http://127.0.0.1:11434');
    expect(notices[0]).toContain('every user of this machine may write to');
  });
});

describe('an invalid configuration', () => {
  it('names the file and key', async () => {
    const file = world.write('kebab.yaml', 'search: {default_k: 1000}');
    const error = await world.failure();
    expect(error.details).toMatchObject({ path: file, key: 'search.default_k' });
    expect(error.message).toBe(`${file}: search.default_k: must be a whole number from 1 to 100, not 1000`);
  });

  it('is config_not_found for a missing --config file', async () => {
    await expect(world.resolve({ flags: { config: 'none.toml' } })).rejects.toMatchObject({
      code: 'config_not_found',
      details: { path: path.join(world.cwd, 'none.toml') },
    });
  });

  it.each([
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
  ])('includes conflicts between keys: %s', async (toml, key) => {
    const file = world.write(world.userFile, toml);
    expect((await world.failure()).details).toMatchObject({ path: file, key });
  });

  it('blames a value that was set, not a default', async () => {
    const error = await world.failure({ env: { KEBAB_CHUNKING_TARGET_TOKENS: '64' } });
    expect(error.message).toMatch(/^KEBAB_CHUNKING_TARGET_TOKENS: .*overlap_tokens \(80\) must be less than/);
  });
});

describe('unknown variables', () => {
  it('are reported, with a suggestion', async () => {
    const { notices } = await world.resolve({ env: { KEBAB_SERCH_DEFAULT_K: '3' } });
    expect(notices).toEqual([
      'unknown environment variable KEBAB_SERCH_DEFAULT_K is ignored; did you mean KEBAB_SEARCH_DEFAULT_K?',
    ]);
  });

  it('are known when a path refers to them', async () => {
    await world.writeTrusted('kebab.toml', '[workspace]\nroot = "${KEBAB_NOTES_ROOT:-notes}"\n');
    const { config, notices } = await world.resolve({ env: { KEBAB_NOTES_ROOT: '/n' } });
    expect(config.workspace.root).toBe('/n');
    expect(notices).toEqual([]);
  });
});

describe('ignoreUserFile', () => {
  it('resolves as if the file that is about to be written did not exist', async () => {
    world.write(world.userFile, 'not toml at all');
    const { config, files } = await world.resolve({ ignoreUserFile: true });
    expect(config.search.defaultK).toBe(10);
    expect(files[0]).toEqual({ path: world.userFile, trusted: true, exists: true, ignored: [] });
    const named = await world.resolve({ ignoreUserFile: true, flags: { config: 'new.toml' } });
    expect(named.userFile).toBe(path.join(world.cwd, 'new.toml'));
  });
});
