import { describe, expect, it } from 'vitest';
import { readTable } from '../../src/config/read-table.ts';
import { wholeFile } from './bundled-keys.ts';
import { configInvalid } from './config-world.ts';

const origin = { origin: 'file', path: '/k.toml' } as const;

function read(table: unknown): ReadonlyMap<string, unknown> {
  return new Map(readTable(table, wholeFile, origin));
}

describe('readTable', () => {
  it('yields what is set, by dotted name', () => {
    const values = read({ schema_version: 1, search: { default_k: 3 }, models: { llm: { seed: 4 } } });
    expect([...values]).toEqual([
      ['schema_version', 1],
      ['search.default_k', 3],
      ['models.llm.seed', 4],
    ]);
  });

  it.each([
    [{ serach: { default_k: 1 } }, 'serach', 'search'],
    [{ search: { default_kk: 1 } }, 'search.default_kk', 'search.default_k'],
    [{ models: { embeding: {} } }, 'models.embeding', 'models.embedding'],
    [{ score_gate: 0.5 }, 'score_gate', 'rag.score_gate'],
    [{ search: { completely_different: 1 } }, 'search.completely_different', null],
    [{ constructor: {} }, 'constructor', null],
    [JSON.parse('{"__proto__": {"search": {}}}') as object, '__proto__', null],
  ])('names an unknown key and the nearest valid one: %j', async (table, key, suggestion) => {
    const error = await configInvalid(() => read(table));
    expect(error.details).toEqual({ path: '/k.toml', key, cause: 'unknown key', suggestion });
    expect(error.message).toBe(
      `/k.toml: ${key}: unknown key${suggestion === null ? '' : `; did you mean ${suggestion}?`}`,
    );
  });

  it.each([
    [[], '(root)'],
    ['text', '(root)'],
    [{ search: 5 }, 'search'],
    [{ models: { llm: [] } }, 'models.llm'],
  ])('wants tables where tables belong: %j', async (table, key) => {
    const error = await configInvalid(() => read(table));
    expect(error.details).toMatchObject({ key, cause: 'must be a table' });
  });

  it('accepts no other version of the format', async () => {
    const error = await configInvalid(() => read({ schema_version: 2 }));
    expect(error.details).toMatchObject({ key: 'schema_version', cause: 'must be a whole number equal to 1, not 2' });
  });
});
