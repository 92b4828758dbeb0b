import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readTable } from '../../src/config/read-value.ts';
import type { Settings } from '../../src/config/build-config.ts';
import { bondOf, isUnchanged, partByTrust, restrictedSettings } from '../../src/config/project-trust.ts';
import type { TrustedFile } from '../../src/config/trust-store.ts';
import { TemporaryTree, type TreeContent } from '../ingest/temporary-tree.ts';
import { bundledKeys, wholeFile } from './bundled-keys.ts';

const origin = { origin: 'default' } as const;

function settingsOf(table: object): Settings {
  const values = [...readTable(table, wholeFile, origin)];
  return new Map(values.map(([name, value]) => [name, { value, origin, base: '/' }]));
}

describe('an untrusted project file', () => {
  it('may set files, chunk sizes and display options', () => {
    const table = {
      schema_version: 1,
      workspace: { include: ['**/*.md'], exclude: ['tmp/'] },
      chunking: { target_tokens: 300, overlap_tokens: 10, max_chunk_tokens: 900, respect_markdown_headings: false },
      code: { skip_generated: false, max_unit_lines: 50, window_lines: 40, window_overlap_lines: 5 },
      search: { default_k: 3, snippet_chars: 100, stale_threshold_days: 0 },
      rag: { explain_default: true },
    };
    const { allowed, restricted } = partByTrust(settingsOf(table));
    expect(restricted).toEqual([]);
    expect(allowed.size).toBe(15);
  });

  it('may set nothing else: no folder, database, model, URL, plugin or limit', () => {
    const allowed = 15;
    const everything = new Map(bundledKeys.keys.map(({ name }) => [name, { value: '', origin, base: '/' }]));
    const parted = partByTrust(everything);
    expect(parted.allowed.size).toBe(allowed);
    expect(parted.restricted).toHaveLength(bundledKeys.keys.length - allowed);
    expect(parted.restricted).toEqual(
      expect.arrayContaining([
        'plugins',
        'workspace.root',
        'workspace.sources',
        'workspace.follow_symlinks',
        'storage.data_dir',
        'storage.sqlite',
        'storage.model_dir',
        'indexing.max_file_mb',
        'chunking.chunker_version',
        'models.embedding.model',
        'models.llm.endpoint',
        'mcp.ingest_roots',
        'logging.level',
      ]),
    );
  });
});

describe('what trust in a project file is bound to', () => {
  let tree: TemporaryTree;
  beforeEach(() => {
    tree = new TemporaryTree({ 'kebab.toml': '' });
  });
  afterEach(() => tree.remove());

  /** The value that trust in the file is bound to while it names this plugin. */
  const bond = (name: string, enabled = true): TrustedFile =>
    bondOf({ path: tree.path('kebab.toml'), text: '', plugins: [{ name, enabled }] }, { env: {}, homeDir: tree.root });

  it.each([
    ['a file below a folder', './plug', { 'plug/src/a.mjs': '1' }, 'plug/src/a.mjs'],
    ['a file in a folder that is not a module', './plug', { 'plug/data.txt': '1' }, 'plug/data.txt'],
    ['an import', './own.mjs', { 'own.mjs': `import './part.mjs'`, 'part.mjs': '1' }, 'part.mjs'],
    [
      'an import of an import',
      './own.mjs',
      { 'own.mjs': `import('./b.mjs')`, 'b.mjs': `import './c.mjs'`, 'c.mjs': '' },
      'c.mjs',
    ],
    ['a module without its extension', './own.cjs', { 'own.cjs': `require('./part')`, 'part.js': '1' }, 'part.js'],
    ['the module of a folder', './own.cjs', { 'own.cjs': `require('./part')`, 'part/index.js': '1' }, 'part/index.js'],
    [
      'a module beside a folder of the same name',
      './own.cjs',
      { 'own.cjs': `require('./p')`, 'p/a.js': '', 'p.js': '' },
      'p.js',
    ],
    [
      'a package',
      './own.mjs',
      { 'own.mjs': `import 'dep'`, 'node_modules/dep/lib/x.js': '1' },
      'node_modules/dep/lib/x.js',
    ],
    [
      'a file of a scoped package',
      './own.mjs',
      { 'own.mjs': `import '@a/dep/x'`, 'node_modules/@a/dep/x.js': '' },
      'node_modules/@a/dep/x.js',
    ],
  ] satisfies [string, string, TreeContent, string][])('covers %s', (_what, name, content, edited) => {
    tree.put(content);
    const before = bond(name);
    expect(isUnchanged(before, bond(name))).toBe(true);
    tree.put({ [edited]: 'edited' });
    expect(isUnchanged(before, bond(name))).toBe(false);
  });

  it('covers a module that is imported by its URL', () => {
    tree.put({
      'own.mjs': `import '${pathToFileURL(tree.path('part.mjs')).href}' // not from 'file:///%'`,
      'part.mjs': '1',
    });
    const before = bond('./own.mjs');
    tree.put({ 'part.mjs': 'edited' });
    expect(isUnchanged(before, bond('./own.mjs'))).toBe(false);
  });

  it('ignores packages that nothing imports, and plugins that are disabled or named as packages', () => {
    tree.put({ 'plug/a.mjs': '', 'plug/node_modules/dep/x.js': '1', 'plug/.git/HEAD': '1' });
    const before = bond('./plug');
    tree.put({ 'plug/node_modules/dep/x.js': 'edited', 'plug/.git/HEAD': 'edited' });
    expect(isUnchanged(before, bond('./plug'))).toBe(true);
    expect([bond('./plug', false).plugins, bond('kebab-plugin-x').plugins]).toEqual([{}, {}]);
  });

  it('is refused for a plugin of more files than can be hashed on every start', () => {
    tree.put(Object.fromEntries(Array.from({ length: 4001 }, (_, n) => [`plug/${n}.txt`, ''])));
    expect(() => bond('./plug')).toThrow('it has more than 4000 files or 64 MB; install it instead');
  });
});

describe('restrictedSettings', () => {
  it('lists the settings that require trust, with remote URLs marked and secrets masked', () => {
    const table = {
      plugins: [{ name: './p.mjs', config: { servers: [{ at: 'https://example.org', token: 'sesame' }] } }],
      search: { default_k: 3 },
      storage: { sqlite: 'planted.sqlite', qdrant: { url: 'http://localhost:7000', api_key: 'sesame' } },
      models: { llm: { endpoint: 'http://127.0.0.1@evil.example' } },
    };
    const shown = restrictedSettings(settingsOf(table), new Set(['storage.qdrant.api_key']));
    expect(shown).toEqual([
      {
        key: 'plugins',
        value: [{ name: './p.mjs', config: { servers: [{ at: 'https://example.org', token: '***' }] }, enabled: true }],
        remote: true,
      },
      { key: 'storage.sqlite', value: 'planted.sqlite', remote: false },
      { key: 'storage.qdrant.url', value: 'http://localhost:7000', remote: false },
      { key: 'storage.qdrant.api_key', value: '***', remote: false },
      { key: 'models.llm.endpoint', value: 'http://***@evil.example', remote: true },
    ]);
  });
});
