import addFormats from 'ajv-formats';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { ERROR_CODES } from '../../src/errors/codes.ts';
import { WIRE_NAMES, type WireName } from '../../src/wire/schema-names.ts';
import { WIRE_SCHEMAS } from '../../src/wire/schemas.ts';
import { wireJsonSchema, type JsonSchema } from '../../src/wire/wire-json-schema.ts';
import { EXAMPLES } from './examples/all.ts';

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
addFormats.default(ajv);
const validators = new Map<WireName, ValidateFunction>(
  WIRE_NAMES.map((name) => [name, ajv.compile(wireJsonSchema(name))]),
);

/** What each of the two readers says of a value: the generated JSON Schema, and the zod schema it comes from. */
function verdicts(name: WireName, value: unknown): readonly [boolean, boolean] {
  return [validators.get(name)?.(value) === true, WIRE_SCHEMAS[name].safeParse(value).success];
}

const each = WIRE_NAMES.flatMap((name) =>
  (EXAMPLES[name] as readonly Readonly<Record<string, unknown>>[]).map((example, index) => ({ name, index, example })),
);

describe.each(each)('$name.v1, example $index', ({ name, example }) => {
  it('is accepted, before and after a trip through JSON', () => {
    expect(verdicts(name, example)).toEqual([true, true]);
    expect(verdicts(name, JSON.parse(JSON.stringify(example)))).toEqual([true, true]);
  });

  it('is refused with an extra key', () => {
    expect(verdicts(name, { ...example, unheard_of: 1 })).toEqual([false, false]);
  });

  it('is refused without any one of its required keys', () => {
    const optional = new Set(optionalKeys(name, example));
    for (const key of Object.keys(example).filter((member) => !optional.has(member))) {
      const { [key]: _removed, ...rest } = example;
      expect({ key, verdicts: verdicts(name, rest) }).toEqual({ key, verdicts: [false, false] });
    }
  });

  it('is refused under another schema_version', () => {
    expect(verdicts(name, { ...example, schema_version: `${name}.v2` })).toEqual([false, false]);
  });
});

describe('wireJsonSchema', () => {
  it('covers every variant of every union with an example', () => {
    for (const name of WIRE_NAMES) {
      const used = EXAMPLES[name].map((example) => tagOf(example as Readonly<Record<string, unknown>>));
      const tags = variantsOf(name).map((variant) => tagOf(constantsOf(variant)));
      expect({ name, missing: tags.filter((tag) => !used.includes(tag)) }).toEqual({ name, missing: [] });
    }
    expect(variantsOf('error')).toHaveLength(ERROR_CODES.length);
  });

  it.each(WIRE_NAMES)('gives %s a root that is an object and no reference', (name) => {
    const schema = wireJsonSchema(name);
    expect(schema).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: `urn:kebab:wire:v1:${name}`,
      title: `${name}.v1`,
      type: 'object',
    });
    expect(schema).not.toHaveProperty('$ref');
  });

  it.each(WIRE_NAMES)('closes every object of %s, the capabilities alone excepted', (name) => {
    const open = objectsIn(wireJsonSchema(name)).filter((schema) => schema['additionalProperties'] !== false);
    const expected = name === 'schema' ? ['every flag, true or false'] : [];
    expect(open.map((schema) => schema['description'])).toEqual(expected);
  });

  it('writes every nested named object once', () => {
    expect(Object.keys(wireJsonSchema('bulk_search_response')['$defs'] ?? {})).toEqual([
      'bulk_search_item',
      'citation',
      'error',
      'search_hit',
      'search_response',
    ]);
  });

  it('bounds no number by what a computer can count', () => {
    for (const name of WIRE_NAMES) expect(JSON.stringify(wireJsonSchema(name))).not.toContain('9007199254740991');
  });
});

describe('values at the edges', () => {
  it.each([
    ['a time without offset', { created_at: '2026-03-01T09:30:00' }],
    ['a date alone', { created_at: '2026-03-01' }],
    ['a relevance above 1', { retrieval: { ...EXAMPLES.answer[0]?.retrieval, top_score: 1.01 } }],
    ['a fraction of a token', { usage: { prompt_tokens: 1.5, completion_tokens: 0, latency_ms: 0 } }],
    ['an unknown refusal', { refusal_reason: 'tired' }],
    ['undefined in the place of null', { turn_index: undefined }],
  ])('refuses %s in an answer', (_case, change) => {
    expect(verdicts('answer', { ...EXAMPLES.answer[0], ...change })).toEqual([false, false]);
  });

  it.each([
    ['101 hits', { k: 101 }],
    ['no hit', { k: 0 }],
    ['a snippet of 59 characters', { snippet_chars: 59 }],
    ['a blank query', { query: ' \t' }],
    ['a medium that does not exist', { media: ['video'] }],
    ['a single value where a list is due', { tag: 'rust' }],
    ['a filter by its internal name', { pathGlob: ['**'] }],
  ])('refuses a query for %s', (_case, change) => {
    expect(verdicts('bulk_search_input', { query: 'x', ...change })).toEqual([false, false]);
  });

  it('refuses line 0, upper-case ids, and the details of another code', () => {
    expect(verdicts('citation', { ...EXAMPLES.citation[0], start: 0 })).toEqual([false, false]);
    expect(verdicts('search_hit', { ...EXAMPLES.search_hit[0], doc_id: 'A'.repeat(32) })).toEqual([false, false]);
    expect(verdicts('error', { ...EXAMPLES.error[0], details: EXAMPLES.error[1]?.details })).toEqual([false, false]);
    expect(verdicts('error', { ...EXAMPLES.error[0], message: 'two\nlines' })).toEqual([false, false]);
  });
});

function variantsOf(name: WireName): readonly JsonSchema[] {
  const schema = wireJsonSchema(name);
  return (schema['oneOf'] as readonly JsonSchema[] | undefined) ?? [schema];
}

function optionalKeys(name: WireName, example: Readonly<Record<string, unknown>>): readonly string[] {
  const variant = variantsOf(name).find((candidate) => tagOf(constantsOf(candidate)) === tagOf(example));
  const required = new Set(variant?.['required'] as readonly string[]);
  return Object.keys(variant?.['properties'] as object).filter((key) => !required.has(key));
}

function constantsOf(variant: JsonSchema): Readonly<Record<string, unknown>> {
  const properties = variant['properties'] as Readonly<Record<string, JsonSchema>>;
  return Object.fromEntries(Object.entries(properties).map(([key, schema]) => [key, schema['const']]));
}

/** What tells variants apart; nothing for objects that come in one shape. */
function tagOf(value: Readonly<Record<string, unknown>>): string {
  const version = String(value['schema_version']);
  if (version === 'error.v1') return String(value['code']);
  return /^(?:citation|fetch_result|answer_event|ingest_progress)\.v1$/.test(version) ? String(value['kind']) : '';
}

function objectsIn(value: unknown): readonly JsonSchema[] {
  if (typeof value !== 'object' || value === null) return [];
  const nested = Object.values(value).flatMap(objectsIn);
  const schema = value as JsonSchema;
  return schema['type'] === 'object' && typeof schema['properties'] === 'object' ? [schema, ...nested] : nested;
}
