import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { configView } from '../../src/config/config-view.ts';
import { ConfigViewSchema } from '../../src/wire/config.ts';
import { ConfigWorld } from './config-world.ts';
import { bundledKeys } from './bundled-keys.ts';

let world: ConfigWorld;
beforeEach(() => {
  world = new ConfigWorld();
});
afterEach(() => world.remove());

describe('configView', () => {
  it('shows every key once, in the order of the table, with its origin', async () => {
    world.write(world.userFile, '[search]\ndefault_k = 3\n[[workspace.sources]]\nid = "a"\nroot = "/a"\n');
    const view = configView(await world.resolve({ env: { KEBAB_SEARCH_RRF_K: '9' } }));
    expect(ConfigViewSchema.parse(view)).toEqual(view);
    expect(view.entries.map(({ key }) => key)).toEqual(bundledKeys.keys.map(({ name }) => name));
    const entry = (key: string) => view.entries.find((candidate) => candidate.key === key);
    expect(entry('search.default_k')).toEqual({
      key: 'search.default_k',
      value: 3,
      origin: 'file',
      path: world.userFile,
    });
    expect(entry('search.rrf_k')).toEqual({ key: 'search.rrf_k', value: 9, origin: 'env' });
    expect(entry('models.embedding.dimensions')).toEqual({
      key: 'models.embedding.dimensions',
      value: null,
      origin: 'default',
    });
    expect(entry('workspace.sources')?.value).toEqual([
      {
        id: 'a',
        root: '/a',
        connector: 'fs',
        include: ['**/*'],
        exclude: ['.git/**', 'node_modules/**', '.obsidian/**'],
        trust_level: null,
        source_type: null,
      },
    ]);
  });

  it('shows no secret, wherever it was written', async () => {
    world.write(
      world.userFile,
      `plugins = [{ name = "p", config = { token = "hunter2", server = "https://u:hunter2@h" } }]
[storage.qdrant]
api_key = "hunter2"
url = "https://user:hunter2@qdrant.example"
`,
    );
    const view = configView(await world.resolve());
    expect(JSON.stringify(view)).not.toContain('hunter2');
    const value = (key: string) => view.entries.find((candidate) => candidate.key === key)?.value;
    expect(value('storage.qdrant.api_key')).toBe('***');
    expect(value('storage.qdrant.url')).toBe('https://***@qdrant.example');
    expect(value('plugins')).toEqual([{ name: 'p', config: { token: '***', server: 'https://***@h' }, enabled: true }]);
  });

  it('shows that a secret is not set', async () => {
    const view = configView(await world.resolve());
    expect(view.entries.find(({ key }) => key === 'storage.qdrant.api_key')?.value).toBe('');
  });
});
