import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'smol-toml';
import { configJsonSchema, describeKeys } from '../../../scripts/describe-keys.ts';
import { bundledKeys } from './bundled-keys.ts';
import { annotatedConfig } from '../../src/config/annotated-config.ts';

const page = readFileSync(new URL('../../../docs/configuration.md', import.meta.url), 'utf8');
const schema = readFileSync(new URL('../../../docs/configuration.schema.json', import.meta.url), 'utf8');

describe('the documentation of the configuration', () => {
  it('contains the reference of every key (else run npm run docs)', () => {
    const reference = /<!-- keys:[^\n]*-->\n\n([\s\S]*)\n<!-- \/keys -->/.exec(page)?.[1];
    expect(reference).toBe(describeKeys(bundledKeys));
    for (const { name } of bundledKeys.keys) expect(reference).toContain(`| \`${name.split('.').at(-1) ?? ''}\` |`);
  });

  it('contains the JSON Schema for editors (else run npm run docs)', () => {
    expect(JSON.parse(schema)).toEqual(configJsonSchema(bundledKeys));
  });
});

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
