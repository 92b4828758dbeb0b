import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { SearchFilters } from '../../src/domain/query.ts';
import { ASK, ASK_TOOL } from '../../src/requests/ask.ts';
import { FETCH, VERIFY_CITATION, LIST_DOCS } from '../../src/requests/fetch.ts';
import { FILTERS, type FilterRequest } from '../../src/requests/filters.ts';
import { GREP } from '../../src/requests/grep.ts';
import { INGEST, INGEST_FILE, INGEST_STDIN } from '../../src/requests/ingest.ts';
import { readRequest } from '../../src/requests/read-request.ts';
import { BULK_SEARCH, parseSearchRequest, SEARCH } from '../../src/requests/search.ts';
import type { CamelCased, Fields } from '../../src/schema/field.ts';
import { flagsOf } from '../../src/schema/flags.ts';
import { inputSchemaOf } from '../../src/schema/json-schema.ts';
import { requestSchema } from '../../src/wire/schemas.ts';

const REQUESTS: Readonly<Record<string, Fields>> = {
  SEARCH,
  BULK_SEARCH,
  ASK,
  ASK_TOOL,
  FETCH,
  LIST_DOCS,
  GREP,
  VERIFY_CITATION,
  INGEST,
  INGEST_FILE,
  INGEST_STDIN,
};
const ajv = new Ajv2020();

/** A valid value for each kind of field. */
const RIGHT: Readonly<Record<string, unknown>> = {
  text: 'words',
  time: '2026-03-01T00:00:00Z',
  int: 1,
  number: 0.5,
  bool: true,
  tables: [{ query: 'words' }],
};

function rightValue(field: Fields[string]): unknown {
  if (field.kind === 'enum') return field.values[0];
  if (field.kind === 'texts') return [field.values?.[0] ?? 'words'];
  return field.kind === 'int' ? (field.min ?? 1) : RIGHT[field.kind];
}

function rightRequest(fields: Fields): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, rightValue(field)]));
}

/** Requests that must be rejected: an unknown key, a missing one, a wrong type, a value out of range. */
function wrongRequests(fields: Fields): readonly Readonly<Record<string, unknown>>[] {
  const right = rightRequest(fields);
  return Object.entries(fields).flatMap(([key, field]) => {
    const { [key]: _left, ...without } = right;
    const values: unknown[] = [null, { odd: 1 }];
    if (field.kind === 'enum') values.push('sideways');
    if (field.kind === 'texts' && field.values !== undefined) values.push(['sideways']);
    if (field.kind === 'texts' && field.max !== undefined) values.push(Array(field.max + 1).fill('words'));
    if (field.kind === 'int') values.push(1.5, '1');
    if (field.kind === 'int' && field.min !== undefined) values.push(field.min - 1);
    if (field.kind === 'int' && field.max !== undefined) values.push(field.max + 1);
    return [
      { ...right, [`${key}_x`]: 1 },
      ...(field.required === true ? [without] : []),
      ...values.map((value) => ({ ...right, [key]: value })),
    ];
  });
}

describe.each(Object.entries(REQUESTS))('the fields of %s', (_name, fields) => {
  const validate = ajv.compile(inputSchemaOf(fields));
  const wire = requestSchema(fields);

  it('mean the same as tool arguments, as a JSON Schema and as a wire schema', () => {
    const right = rightRequest(fields);
    expect(readRequest(right, fields)).toEqual(right);
    expect(validate(right)).toBe(true);
    expect(wire.safeParse(right).success).toBe(true);
    for (const wrong of wrongRequests(fields)) {
      expect(() => readRequest(wrong, fields), JSON.stringify(wrong)).toThrow(/ must be | is /);
      expect(validate(wrong), JSON.stringify(wrong)).toBe(false);
      expect(wire.safeParse(wrong).success, JSON.stringify(wrong)).toBe(false);
    }
  });

  it('have a flag for each optional member, with a summary', () => {
    const flags = flagsOf(fields);
    expect(flags).toHaveLength(Object.values(fields).filter(({ required }) => required !== true).length);
    for (const flag of flags) {
      expect(flag.name).toMatch(/^[a-z]+(-[a-z]+)*$/);
      expect(flag.summary.length).toBeGreaterThan(5);
    }
  });
});

describe('arguments of any shape', () => {
  it('are rejected with a code, however deeply they are nested', () => {
    const nested: unknown = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    const refused: unknown = expect.objectContaining({ code: 'invalid_input' });
    expect(() => readRequest({ query: nested }, SEARCH)).toThrow(refused);
    expect(() => parseSearchRequest({ query: 'x', k: nested })).toThrow(refused);
    expect(() => parseSearchRequest({ query: 'x', tag: [nested] })).toThrow(refused);
    expect(() => parseSearchRequest({ query: 'x', since: nested })).toThrow(refused);
  });
});

describe('flagsOf', () => {
  it('names the values of a closed list in the summary, with their aliases', () => {
    expect(flagsOf(SEARCH, ['media'])).toEqual([
      {
        name: 'media',
        kind: 'string',
        value: 'MEDIA',
        repeats: true,
        commas: true,
        offers: ['markdown', 'text', 'pdf', 'image', 'audio', 'code', 'other'],
        summary: 'documents of this kind: markdown (md), text (txt), pdf, image, audio, code or other',
      },
    ]);
  });

  it('leaves the validation of a filter to the filter parser, and has the command line check a mode', () => {
    const [mode, trust] = flagsOf(SEARCH, ['mode', 'trust_min']);
    expect(mode?.choices).toEqual(['lexical', 'vector', 'hybrid']);
    expect(trust?.choices).toBeUndefined();
  });

  it('uses the flag name of a member where that differs from its key', () => {
    expect(flagsOf(VERIFY_CITATION).map(({ name }) => name)).toEqual(['hash', 'source']);
  });
});

describe('the type of a request', () => {
  it('has a filter for each member of SearchFilters except those that only the words of a query and rules of access can set', () => {
    expectTypeOf<keyof CamelCased<FilterRequest>>().toEqualTypeOf<
      Exclude<keyof SearchFilters, 'title' | 'within' | 'readable'>
    >();
    expect(Object.keys(FILTERS)).toHaveLength(13);
  });
});
