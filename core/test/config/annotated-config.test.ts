import { parse } from 'smol-toml';
import { describe, expect, it, afterEach, beforeEach } from 'vitest';
import { annotatedConfig, configView } from '../../src/config/annotated-config.ts';
import { readTable } from '../../src/config/read-value.ts';
import { defaultOf } from '../../src/schema/field.ts';
import { ConfigWorld } from './config-world.ts';
import { bundledKeys, wholeFile } from './bundled-keys.ts';
import { ConfigViewSchema } from '../../src/wire/config.ts';

const text = annotatedConfig(bundledKeys);

describe('annotatedConfig', () => {
  it('has no effect as the user’s file: every value is the default', async () => {
    const world = new ConfigWorld();
    const before = await world.resolve();
    world.write(world.userFile, text);
    const after = await world.resolve();
    world.remove();
    expect(after.config).toEqual(before.config);
    expect(after.origins).toEqual(new Map());
  });

  it('contains every key with its default once its tables and keys are uncommented', () => {
    const uncommented = text
      .replaceAll(/^# (\[[\w.]+\]|[\w-]+ = .*)$/gm, '$1')
      .replaceAll(/^(id|root) = "(work|~\/work)"$/gm, '');
    const values = new Map(readTable(parse(uncommented), wholeFile, { origin: 'default' }));
    const expected = bundledKeys.keys.filter(
      ({ name, key }) => defaultOf(key) !== null && name !== 'workspace.sources',
    );
    expect(Object.fromEntries(values)).toEqual(
      Object.fromEntries(expected.map(({ name, key }) => [name, defaultOf(key)])),
    );
  });

  it('has an example of a further source that works as its comment describes', () => {
    const example = '# [[workspace.sources]]\n# id = "work"\n# root = "~/work"\n';
    expect(text).toContain(example);
    const uncommented = text.replace(example, example.replaceAll('# ', ''));
    const values = new Map(readTable(parse(uncommented), wholeFile, { origin: 'default' }));
    expect(values.get('workspace.sources')).toMatchObject([{ id: 'work', root: '~/work' }]);
  });

  it('explains every key, including those without a default', () => {
    for (const { key } of bundledKeys.keys) expect(text).toContain(`# ${key.doc}`);
    expect(text).toContain('\n# dimensions =\n');
    expect(text).toContain('(off | auto | always)');
    expect(text).toContain('\n# temperature = 0.0\n');
  });
});

let world: ConfigWorld;
beforeEach(() => {
  world = new ConfigWorld();
});
afterEach(() => world.remove());

describe('configView', () => {
  it('lists every key once, in table order, with its origin', async () => {
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

  it('shows no secret, whatever its origin', async () => {
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

  it('shows when a secret is not set', async () => {
    const view = configView(await world.resolve());
    expect(view.entries.find(({ key }) => key === 'storage.qdrant.api_key')?.value).toBe('');
  });
});
