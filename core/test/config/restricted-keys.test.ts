import { describe, expect, it } from 'vitest';
import { CONFIG_KEYS } from '../../src/config/keys.ts';
import { readTable } from '../../src/config/read-table.ts';
import { restrictedKeys } from '../../src/config/restricted-keys.ts';

function restricted(table: object): readonly string[] {
  const values = new Map(readTable(table, CONFIG_KEYS, '', { origin: 'default' }));
  return restrictedKeys(values, ['@kebab/plugin-md']).map(({ name }) => name);
}

describe('restrictedKeys', () => {
  it.each([
    [{ plugins: ['evil'] }],
    [{ plugins: ['@kebab/plugin-md', './evil.js'] }],
    [{ plugins: [{ name: '@kebab/plugin-md', config: { servers: [{ at: 'https://example.org' }] } }] }],
  ])('holds back plugins: %j', (table) => {
    expect(restricted(table)).toEqual(['plugins']);
  });

  it('holds back every address that leads away', () => {
    const table = {
      storage: { qdrant: { url: 'http://qdrant.example:6333' } },
      models: { embedding: { endpoint: 'http://10.0.0.1' }, llm: { endpoint: 'http://127.0.0.1@evil.example' } },
      workspace: { sources: [{ id: 'mail', connector: 'imap', root: 'imaps://mail.example' }] },
    };
    expect(restricted(table)).toEqual([
      'workspace.sources',
      'storage.qdrant.url',
      'models.embedding.endpoint',
      'models.llm.endpoint',
    ]);
  });

  it('lets everything else pass', () => {
    const table = {
      plugins: ['@kebab/plugin-md', { name: 'other', enabled: false }],
      storage: { vector_store: 'qdrant', qdrant: { url: 'http://localhost:7000', api_key: 'k' } },
      models: { llm: { endpoint: 'http://[::1]:1', provider: 'some-plugin' } },
      workspace: { sources: [{ id: 'a', root: '../a' }], include: ['**/*.md'] },
    };
    expect(restricted(table)).toEqual([]);
  });
});
