import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { WIRE_NAMES } from '../../src/wire/names.ts';
import { breakingChanges, wireFields, type WireFields } from './wire-fields.ts';
import { wireJsonSchema, wireSchemaFile } from '../../src/wire/wire-json-schema.ts';

const folder = new URL('../../../docs/wire-schema/v1/', import.meta.url);
const released = JSON.parse(readFileSync(new URL('released-fields.json', import.meta.url), 'utf8')) as Readonly<
  Record<string, WireFields>
>;

describe('docs/wire-schema/v1', () => {
  it('contains exactly one file per wire object', () => {
    expect(readdirSync(folder).toSorted()).toEqual(WIRE_NAMES.map((name) => `${name}.schema.json`));
  });

  it('contains every file as npm run docs writes it', () => {
    const differing = WIRE_NAMES.filter(
      (name) =>
        readFileSync(new URL(`${name}.schema.json`, folder), 'utf8') !==
        `${JSON.stringify(wireSchemaFile(name), null, 2)}\n`,
    );
    expect(differing).toEqual([]);
  });

  it('describes a nested named object in the file of that object alone', () => {
    expect(wireSchemaFile('bulk_search_response')).toMatchObject({
      properties: { results: { items: { $ref: 'urn:kebab:wire:v1:bulk_search_item' } } },
    });
    for (const name of WIRE_NAMES) expect(wireSchemaFile(name)).not.toHaveProperty('$defs');
  });

  it('changes every released wire object only by adding to it', () => {
    for (const name of WIRE_NAMES)
      expect([name, breakingChanges(released[name] ?? {}, wireFields(wireJsonSchema(name)))]).toEqual([name, []]);
  });

  it('was released with every object in the record, and records every existing object', () => {
    expect(Object.keys(released).toSorted()).toEqual(WIRE_NAMES);
    for (const name of WIRE_NAMES) expect(Object.keys(released[name] ?? {}).length).toBeGreaterThan(1);
  });
});
