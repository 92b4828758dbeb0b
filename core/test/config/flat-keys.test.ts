import { describe, expect, it } from 'vitest';
import { FLAT_KEYS, flatSections, variableOf } from '../../src/config/flat-keys.ts';

describe('FLAT_KEYS', () => {
  it('names a key by table, variable and place in the resolved configuration', () => {
    const flat = FLAT_KEYS.find(({ name }) => name === 'models.llm.context_tokens');
    expect(flat?.steps).toEqual(['models', 'llm', 'contextTokens']);
    expect(variableOf('models.embedding.provider')).toBe('KEBAB_MODELS_EMBEDDING_PROVIDER');
  });

  it('gives every key and every table a variable of its own', () => {
    const variables = [...FLAT_KEYS, ...flatSections()].map(({ name }) => variableOf(name));
    expect(new Set(variables).size).toBe(variables.length);
    expect(variables.filter((variable) => variable.startsWith('KEBAB_TEST_'))).toEqual([]);
  });

  it('gives every key a place of its own', () => {
    const places = FLAT_KEYS.map(({ steps }) => steps.join('.'));
    expect(new Set(places).size).toBe(FLAT_KEYS.length);
    expect(places).toContain('rag.multiHopMaxSubQueries');
    expect(places).toContain('search.rrfK');
  });

  it('lists outer tables before inner ones', () => {
    const names = flatSections().map(({ name }) => name);
    expect(names.indexOf('storage')).toBeLessThan(names.indexOf('storage.qdrant'));
    expect(names).toContain('models.embedding');
  });
});
