import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { annotatedConfig } from '../../src/config/annotated-config.ts';
import { configJsonSchema } from '../../src/config/config-json-schema.ts';
import { bundledKeys } from './bundled-keys.ts';

const validate = new Ajv2020({ strict: true, allErrors: true }).compile(configJsonSchema(bundledKeys));

describe('configJsonSchema', () => {
  it('accepts the file that init writes', () => {
    expect(validate(JSON.parse(JSON.stringify(parse(annotatedConfig(bundledKeys)))))).toBe(true);
  });

  it.each([
    { plugins: ['a', { name: 'b', config: { x: 1 }, enabled: false }] },
    { workspace: { sources: [{ id: 'a', root: '.', trust_level: 'generated' }] } },
    { models: { embedding: { dimensions: 384 } } },
    {},
  ])('accepts %j', (table) => {
    expect(validate(table)).toBe(true);
  });

  it.each([
    { serach: {} },
    { search: { default_k: 0 } },
    { search: { default_k: 1.5 } },
    { pdf: { ocr: 'sometimes' } },
    { plugins: [{ config: {} }] },
    { workspace: { sources: [{ id: 'a b', root: '.' }] } },
    { models: { llm: { endpoint: 'localhost' } } },
    { schema_version: 2 },
  ])('rejects %j', (table) => {
    expect(validate(table)).toBe(false);
  });
});
