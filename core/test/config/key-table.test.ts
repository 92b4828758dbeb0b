import { describe, expect, it } from 'vitest';
import { int } from '../../src/schema/field.ts';
import { keyTableWith, sectionsIn, valuesOf, variableOf } from '../../src/config/key-table.ts';
import { bundledKeys } from './bundled-keys.ts';

describe('the table of keys', () => {
  it('names a key by table, variable and path in the resolved configuration', () => {
    const flat = bundledKeys.keys.find(({ name }) => name === 'models.llm.context_tokens');
    expect(flat?.steps).toEqual(['models', 'llm', 'contextTokens']);
    expect(variableOf('models.embedding.provider')).toBe('KEBAB_MODELS_EMBEDDING_PROVIDER');
  });

  it('gives every key and every table its own variable', () => {
    const variables = [...bundledKeys.keys, ...sectionsIn(bundledKeys)].map(({ name }) => variableOf(name));
    expect(new Set(variables).size).toBe(variables.length);
    expect(variables.filter((variable) => variable.startsWith('KEBAB_TEST_'))).toEqual([]);
  });

  it('gives every key its own path', () => {
    const places = bundledKeys.keys.map(({ steps }) => steps.join('.'));
    expect(new Set(places).size).toBe(bundledKeys.keys.length);
    expect(places).toContain('rag.multiHopMaxSubQueries');
    expect(places).toContain('search.rrfK');
  });

  it('lists outer tables before inner ones', () => {
    const names = sectionsIn(bundledKeys).map(({ name }) => name);
    expect(names.indexOf('storage')).toBeLessThan(names.indexOf('storage.qdrant'));
    expect(names).toContain('models.embedding');
  });

  it('inserts the section of a plugin where its name and `after` specify', () => {
    const keys = { depth: int(3, {}, 'How deep.') };
    const wiki = { name: 'wiki', doc: 'Wikis.', after: 'storage', keys };
    const inner = { name: 'storage.tape', doc: 'Tapes.', keys };
    const table = keyTableWith([wiki, inner]);
    expect(Object.keys(table.members).slice(3, 5)).toEqual(['storage', 'wiki']);
    expect(table.keys.find(({ name }) => name === 'storage.tape.depth')?.steps).toEqual(['storage', 'tape', 'depth']);
    expect(valuesOf(inner, { storage: { tape: { depth: 7 } } })).toEqual({ depth: 7 });
  });

  it('rejects a section whose name is taken, or that has no enclosing table', () => {
    const keys = { depth: int(3, {}, 'How deep.') };
    const named = (name: string) => () => keyTableWith([{ name, doc: 'Wikis.', keys }]);
    expect(named('search')).toThrow('two plugins declare the section search');
    expect(named('wiki.inner')).toThrow('there is no table wiki for the section wiki.inner');
  });
});
