import addFormats from 'ajv-formats';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ERROR_CODES } from '../../src/errors/codes.ts';
import { WIRE_NAMES, type WireName } from '../../src/wire/names.ts';
import { WIRE_SCHEMAS } from '../../src/wire/schemas.ts';
import { wireJsonSchema, type JsonSchema } from '../../src/wire/wire-json-schema.ts';
import { variantsOf, wireSamples } from './wire-samples.ts';

const folder = new URL('../../../docs/wire-schema/v1/', import.meta.url);

/** A validator of every wire object, by name: of the files, which refer to each other, and of the self-contained schemas. */
const fromFiles = validators((ajv) => {
  for (const name of WIRE_NAMES)
    ajv.addSchema(JSON.parse(readFileSync(new URL(`${name}.schema.json`, folder), 'utf8')) as JsonSchema, name);
  return (name) => ajv.getSchema(name);
});
const fromSources = validators((ajv) => (name) => ajv.compile(wireJsonSchema(name)));

/**
 * The verdicts of every validator on a value: of the file, of the self-contained JSON Schema, and of the zod schema that both are generated
 * from.
 */
function verdicts(name: WireName, value: unknown): readonly boolean[] {
  return [fromFiles[name](value), fromSources[name](value), WIRE_SCHEMAS[name].safeParse(value).success];
}

const ACCEPTED = [true, true, true];
const REFUSED = [false, false, false];

/** Values of which each is wrong in most places. */
const OTHERS: readonly unknown[] = [null, -1.5, 'unheard_of', []];

/** Objects with a rule about several members, which a JSON Schema does not have. */
const RULED: ReadonlySet<WireName> = new Set(['bulk_search_item', 'bulk_search_response', 'doctor', 'ingest_report']);

describe.each(WIRE_NAMES)('every validator of %s.v1', (name) => {
  const samples = wireSamples(name) as readonly Example[];

  it(`accepts ${name}.v1 with and without what may be missing`, () => {
    for (const sample of samples) expect([sample, verdicts(name, sample)]).toEqual([sample, ACCEPTED]);
  });

  it(`rejects ${name}.v1 with a further key, and without one that it must have`, () => {
    for (const [at, sample] of samples.entries()) {
      expect(verdicts(name, { ...sample, unheard_of: 1 })).toEqual(REFUSED);
      if (at < samples.length / 2) continue;
      for (const key of Object.keys(sample))
        expect([key, verdicts(name, without(sample, key))]).toEqual([key, REFUSED]);
    }
  });

  it(`judges any change of ${name}.v1 like the others`, () => {
    const disputed = samples.flatMap(changesOf).filter((changed) => {
      const [file = false, self = false, zod = false] = verdicts(name, changed);
      return file !== self || (self !== zod && !(RULED.has(name) && self));
    });
    expect(disputed).toEqual([]);
  });
});

describe('wireJsonSchema', () => {
  it('has a variant for every code of an error', () => {
    expect(variantsOf(wireJsonSchema('error'))).toHaveLength(ERROR_CODES.length);
  });

  it('has an object at the root of every schema, with its id and no reference', () => {
    for (const name of WIRE_NAMES) {
      const schema = wireJsonSchema(name);
      expect(schema).toMatchObject({
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        $id: `urn:kebab:wire:v1:${name}`,
        title: `${name}.v1`,
        type: 'object',
      });
      expect(schema).not.toHaveProperty('$ref');
    }
  });

  it('closes every object of every schema, except the capabilities of schema.v1', () => {
    for (const name of WIRE_NAMES) {
      const open = objectsIn(wireJsonSchema(name)).filter((schema) => schema['additionalProperties'] !== false);
      const expected = name === 'schema' ? ['every flag, true or false'] : [];
      expect([name, open.map((schema) => schema['description'])]).toEqual([name, expected]);
    }
  });

  it('contains every nested named object once', () => {
    expect(Object.keys(wireJsonSchema('bulk_search_response')['$defs'] ?? {})).toEqual([
      'bulk_search_item',
      'citation',
      'error',
      'search_hit',
      'search_response',
    ]);
  });

  it('omits the bounds of safe integers', () => {
    for (const name of WIRE_NAMES) expect(JSON.stringify(wireJsonSchema(name))).not.toContain('9007199254740991');
  });
});

describe('edge cases', () => {
  const [answer, [citation], [hit], [error, other]] = [
    wireSamples('answer')[0],
    wireSamples('citation'),
    wireSamples('search_hit'),
    wireSamples('error'),
  ];

  it.each([
    ['a time without offset', { created_at: '2026-03-01T09:30:00' }],
    ['a date alone', { created_at: '2026-03-01' }],
    ['a relevance above 1', { retrieval: { ...answer?.retrieval, top_score: 1.01 } }],
    ['a fraction of a token', { usage: { prompt_tokens: 1.5, completion_tokens: 0, latency_ms: 0 } }],
    ['an unknown refusal', { refusal_reason: 'tired' }],
    ['undefined instead of null', { turn_index: undefined }],
  ])('reject %s in an answer', (_case, change) => {
    expect(verdicts('answer', { ...answer, ...change })).toEqual(REFUSED);
  });

  it('reject line 0, upper-case ids, and the details of another code', () => {
    expect(verdicts('citation', { ...citation, start: 0 })).toEqual(REFUSED);
    expect(verdicts('search_hit', { ...hit, doc_id: 'A'.repeat(32) })).toEqual(REFUSED);
    expect(verdicts('error', { ...error, details: other?.details })).toEqual(REFUSED);
    expect(verdicts('error', { ...error, message: 'two\nlines' })).toEqual(REFUSED);
  });
});

type Example = Readonly<Record<string, unknown>>;

function validators(
  readerIn: (ajv: Ajv2020) => (name: WireName) => ValidateFunction | undefined,
): Readonly<Record<WireName, ValidateFunction>> {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
  addFormats.default(ajv);
  const reader = readerIn(ajv);
  return Object.fromEntries(WIRE_NAMES.map((name) => [name, reader(name)])) as Record<WireName, ValidateFunction>;
}

function without(example: Example, key: string): Example {
  return Object.fromEntries(Object.entries(example).filter(([member]) => member !== key));
}

/** A value with one change each: another value, a key more or less, anywhere in it. */
function changesOf(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return OTHERS;
  if (Array.isArray(value))
    return [...OTHERS, ...value.flatMap((item, at) => changesOf(item).map((change) => value.with(at, change)))];
  const example = value as Example;
  const members = Object.entries(example).flatMap(([key, member]) => [
    without(example, key),
    ...changesOf(member).map((change) => ({ ...example, [key]: change })),
  ]);
  return [...OTHERS, { ...example, unheard_of: 1 }, ...members];
}

function objectsIn(value: unknown): readonly JsonSchema[] {
  if (typeof value !== 'object' || value === null) return [];
  const nested = Object.values(value).flatMap(objectsIn);
  const schema = value as JsonSchema;
  return schema['type'] === 'object' && typeof schema['properties'] === 'object' ? [schema, ...nested] : nested;
}
