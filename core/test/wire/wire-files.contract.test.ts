import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { WIRE_NAMES } from '../../src/wire/schema-names.ts';
import { breakingChanges, wireFields, type WireFields } from '../../src/wire/wire-fields.ts';
import { wireJsonSchema, type JsonSchema } from '../../src/wire/wire-json-schema.ts';

const folder = new URL('../../../docs/wire-schema/v1/', import.meta.url);
const released = JSON.parse(readFileSync(new URL('released-fields.json', import.meta.url), 'utf8')) as Readonly<
  Record<string, WireFields>
>;

function fileOf(name: string): string {
  return readFileSync(new URL(`${name}.schema.json`, folder), 'utf8');
}

describe('docs/wire-schema/v1', () => {
  it('holds one file for every wire object and nothing else', () => {
    expect(readdirSync(folder).toSorted()).toEqual(WIRE_NAMES.map((name) => `${name}.schema.json`));
  });

  it.each(WIRE_NAMES)('holds %s as the generator writes it', (name) => {
    expect(fileOf(name)).toBe(`${JSON.stringify(wireJsonSchema(name), null, 2)}\n`);
  });

  it.each(WIRE_NAMES)('changes %s only by adding to what was released', (name) => {
    expect(breakingChanges(released[name] ?? {}, wireFields(wireJsonSchema(name)))).toEqual([]);
  });

  it.each(WIRE_NAMES)('loses no field of the file of %s that the sources still have', (name) => {
    const checkedIn = wireFields(JSON.parse(fileOf(name)) as JsonSchema);
    expect(breakingChanges(checkedIn, wireFields(wireJsonSchema(name)))).toEqual([]);
  });

  it('was released with every object the record knows, and records every object there is', () => {
    expect(Object.keys(released).toSorted()).toEqual(WIRE_NAMES);
    for (const name of WIRE_NAMES) expect(Object.keys(released[name] ?? {}).length).toBeGreaterThan(1);
  });
});
