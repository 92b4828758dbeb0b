import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { configJsonSchema } from '../../src/config/config-json-schema.ts';
import { describeKeys } from '../../src/config/describe-keys.ts';
import { bundledKeys } from './bundled-keys.ts';

const page = readFileSync(new URL('../../../docs/configuration.md', import.meta.url), 'utf8');
const schema = readFileSync(new URL('../../../docs/configuration.schema.json', import.meta.url), 'utf8');

describe('the documentation of the configuration', () => {
  it('holds the reference of every key (else run node scripts/write-generated-docs.mjs)', () => {
    const reference = /<!-- keys:[^\n]*-->\n\n([\s\S]*)\n<!-- \/keys -->/.exec(page)?.[1];
    expect(reference).toBe(describeKeys(bundledKeys));
    for (const { name } of bundledKeys.keys) expect(reference).toContain(`| \`${name.split('.').at(-1) ?? ''}\` |`);
  });

  it('holds the JSON Schema for editors (else run node scripts/write-generated-docs.mjs)', () => {
    expect(JSON.parse(schema)).toEqual(configJsonSchema(bundledKeys));
  });
});
