import { array, assert, property, stringMatching } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { variableOf } from '../../src/config/key-table.ts';
import { readEnvironment } from '../../src/config/read-environment.ts';
import { defaultOf } from '../../src/schema/field.ts';
import { bundledKeys } from './bundled-keys.ts';
import { configInvalid } from './config-world.ts';

function valueOf(env: Record<string, string>, key: string): unknown {
  return readEnvironment(bundledKeys, env).values.get(key)?.value;
}

describe('readEnvironment', () => {
  it('sets every key, in the same form as a file', () => {
    for (const { name, key } of bundledKeys.keys) {
      const value = key.kind === 'int' && defaultOf(key) === null ? 3 : (defaultOf(key) ?? 0.5);
      const written = typeof value === 'string' ? value : JSON.stringify(value);
      const read = readEnvironment(bundledKeys, { [variableOf(name)]: written });
      expect({ name, value: read.values.get(name)?.value, unknown: read.unknown }).toEqual({
        name,
        value,
        unknown: [],
      });
    }
  });

  it.each([
    ['1', true],
    ['TRUE', true],
    ['yes', true],
    ['on', true],
    ['0', false],
    ['False', false],
    ['no', false],
    ['off', false],
  ])('reads the boolean %s', (text, value) => {
    expect(valueOf({ KEBAB_CODE_SKIP_GENERATED: text }, 'code.skip_generated')).toBe(value);
  });

  it('parses lists as JSON or separated by commas', () => {
    expect(valueOf({ KEBAB_WORKSPACE_INCLUDE: '["a,b", "c"]' }, 'workspace.include')).toEqual(['a,b', 'c']);
    expect(valueOf({ KEBAB_WORKSPACE_INCLUDE: ' a , b ' }, 'workspace.include')).toEqual(['a', 'b']);
    expect(valueOf({ KEBAB_WORKSPACE_INCLUDE: '' }, 'workspace.include')).toEqual([]);
  });

  it('round-trips a list in either form', () => {
    const item = stringMatching(/^[a-z*/.{}_-]{1,8}$/).filter((text) => !/^[[{]/.test(text));
    assert(
      property(array(item, { minLength: 1 }), (list) => {
        expect(valueOf({ KEBAB_WORKSPACE_EXCLUDE: JSON.stringify(list) }, 'workspace.exclude')).toEqual(list);
        expect(valueOf({ KEBAB_WORKSPACE_EXCLUDE: list.join(',') }, 'workspace.exclude')).toEqual(list);
      }),
    );
  });

  it('parses tables as JSON; the variable of a key takes precedence over that of an enclosing table', () => {
    const env = {
      KEBAB_STORAGE: '{"cache_ttl_days": 5, "qdrant": {"url": "http://localhost:1", "api_key": "a"}}',
      KEBAB_STORAGE_QDRANT: '{"api_key": "b", "collection_prefix": "x"}',
      KEBAB_STORAGE_QDRANT_COLLECTION_PREFIX: 'y',
    };
    expect(valueOf(env, 'storage.cache_ttl_days')).toBe(5);
    expect(valueOf(env, 'storage.qdrant.url')).toBe('http://localhost:1');
    expect(valueOf(env, 'storage.qdrant.api_key')).toBe('b');
    expect(valueOf(env, 'storage.qdrant.collection_prefix')).toBe('y');
    expect(readEnvironment(bundledKeys, env).values.get('storage.qdrant.api_key')?.origin).toEqual({
      origin: 'env',
      variable: 'KEBAB_STORAGE_QDRANT',
    });
  });

  it.each([
    ['KEBAB_SEARCH_DEFAULT_K', 'ten', 'search.default_k', 'must be a whole number from 1 to 100, not "ten"'],
    ['KEBAB_SEARCH_DEFAULT_K', '', 'search.default_k', 'must be a whole number from 1 to 100, not ""'],
    ['KEBAB_SEARCH_DEFAULT_K', '0x10', 'search.default_k', 'must be a whole number from 1 to 100, not "0x10"'],
    ['KEBAB_CODE_SKIP_GENERATED', 'maybe', 'code.skip_generated', 'must be true or false, not "maybe"'],
    ['KEBAB_WORKSPACE_INCLUDE', '["a"', 'workspace.include', 'must be a list, as JSON or separated by commas'],
    ['KEBAB_STORAGE_QDRANT', 'x', 'storage.qdrant', 'must be a table as JSON'],
    ['KEBAB_STORAGE_QDRANT', '{"ulr": 1}', 'storage.qdrant.ulr', 'unknown key'],
  ])('rejects %s=%s, naming the variable', async (variable, text, key, cause) => {
    const error = await configInvalid(() => readEnvironment(bundledKeys, { [variable]: text }));
    expect(error.details).toMatchObject({ path: null, key, cause });
    expect(error.message).toContain(variable);
  });

  it('reports unknown variables, with the nearest known name', () => {
    const env = {
      KEBAB_SERCH_DEFAULT_K: '1',
      KEBAB_READONLY: '1',
      KEBAB_TEST_ANYTHING: '1',
      PATH: '/',
      KEBAB_LOG: 'debug',
    };
    expect(readEnvironment(bundledKeys, env).unknown).toEqual([
      { variable: 'KEBAB_SERCH_DEFAULT_K', suggestion: 'KEBAB_SEARCH_DEFAULT_K' },
    ]);
  });

  it('understands KEBAB_PLUGINS=none', () => {
    expect(readEnvironment(bundledKeys, { KEBAB_PLUGINS: 'none' })).toMatchObject({ pluginsOff: true });
    expect(valueOf({ KEBAB_PLUGINS: 'none' }, 'plugins')).toEqual([]);
    expect(valueOf({ KEBAB_PLUGINS: 'a,./b' }, 'plugins')).toMatchObject([{ name: 'a' }, { name: './b' }]);
    expect(readEnvironment(bundledKeys, {}).pluginsOff).toBe(false);
  });
});
