import { describe, expect, it } from 'vitest';
import { breakingChanges, wireFields } from './wire-fields.ts';
import { wireJsonSchema, type JsonSchema } from '../../src/wire/wire-json-schema.ts';

const schema: JsonSchema = {
  type: 'object',
  properties: {
    id: { type: 'string', pattern: '^x$' },
    at: { type: 'string', format: 'date-time', pattern: 'ignored' },
    mode: { type: 'string', enum: ['a', 'b'] },
    cited: { $ref: '#/$defs/citation' },
    pair: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'number' }], items: false },
    counts: { type: 'object', additionalProperties: { type: 'integer' } },
    list: { anyOf: [{ type: 'array', items: { $ref: '#/$defs/hit' } }, { type: 'null' }] },
    parts: {
      type: 'array',
      items: {
        oneOf: [
          { type: 'object', properties: { kind: { const: 'line', type: 'string' } }, required: ['kind'] },
          { type: 'object', properties: { kind: { const: 'page', type: 'string' }, n: { type: ['integer', 'null'] } } },
        ],
      },
    },
  },
  required: ['id', 'cited'],
};

describe('wireFields', () => {
  it('describes for every field whether it is required, its type and its values', () => {
    expect(wireFields(schema)).toEqual({
      '.id': 'required string(^x$)',
      '.at': 'optional string(date-time)',
      '.mode': 'optional string a|b',
      '.cited': 'required citation',
      '.pair': 'optional [number,number]',
      '.counts': 'optional {integer}',
      '.list': 'optional hit[]|null',
      '.parts': 'optional object[]',
      '.parts[]<line>.kind': 'required string line',
      '.parts[]<page>.kind': 'optional string page',
      '.parts[]<page>.n': 'optional integer|null',
    });
  });

  it('finds the fields of nullable lists', () => {
    expect(wireFields(wireJsonSchema('ingest_report'))['.items[].error_code']).toMatch(
      /^required string\|null config_/,
    );
  });
});

describe('breakingChanges', () => {
  const before = { '.id': 'required string', '.mode': 'optional string a|b', '.deep.n': 'required integer' };

  it('allows optional fields, values and whole new objects', () => {
    const after = {
      ...before,
      '.mode': 'optional string a|c|b',
      '.more': 'optional object',
      '.more.n': 'required integer',
    };
    expect(breakingChanges(before, after)).toEqual([]);
  });

  it.each([
    ['a field removed', { '.id': undefined }, '.id was removed'],
    ['a field retyped', { '.id': 'required integer' }, '.id was "required string" and is "required integer"'],
    ['a value removed', { '.mode': 'optional string a' }, '.mode was "optional string a|b" and is "optional string a"'],
    ['a closed set opened', { '.mode': 'optional string' }, '.mode was "optional string a|b" and is "optional string"'],
    ['an open set closed', { '.id': 'required string x' }, '.id was "required string" and is "required string x"'],
    [
      'a field made required',
      { '.mode': 'required string a|b' },
      '.mode was "optional string a|b" and is "required string a|b"',
    ],
    ['a field made optional', { '.id': 'optional string' }, '.id was "required string" and is "optional string"'],
    ['a required field added', { '.deep.m': 'required integer' }, '.deep.m is new and required'],
  ])('reports %s', (_case, change, expected) => {
    const after = Object.fromEntries(Object.entries({ ...before, ...change }).filter(([, text]) => text !== undefined));
    expect(breakingChanges(before, after as Record<string, string>)).toEqual([expected]);
  });
});
