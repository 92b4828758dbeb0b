import { describe, expect, it } from 'vitest';
import { readTable } from '../../src/config/read-value.ts';
import type { Settings } from '../../src/config/settle.ts';
import { isLoopback, partByTrust, restrictedSettings } from '../../src/config/project-trust.ts';
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

describe('isLoopback', () => {
  it.each([
    'http://localhost',
    'http://LOCALHOST.:8080/x',
    'imaps://LocalHost/inbox',
    'http://127.0.0.1:11434',
    'http://127.1.2.3',
    'http://0x7f.1',
    'http://2130706433',
    'http://[::1]:6333',
    'http://[0:0:0:0:0:0:0:1]',
    'http://[::ffff:127.0.0.1]',
    'http://[::ffff:7fff:ffff]',
    'https://user:password@localhost',
  ])('recognises %s as this machine', (address) => {
    expect(isLoopback(address)).toBe(true);
  });

  it.each([
    'http://example.org',
    'http://localhost.example.org',
    'http://127.0.0.1.example.org',
    'http://127.0.0.1@example.org',
    'http://0.0.0.0',
    'http://192.168.0.1',
    'http://[2001:db8::1]',
    'http://[::ffff:7f0:808]',
    'http://[::ffff:7f:1]',
    'http://[::ffff:8000:1]',
    'http://[::7f00:1]',
    'http://[::]',
    'localhost',
    '',
  ])('does not recognise %s as this machine', (address) => {
    expect(isLoopback(address)).toBe(false);
  });
});
