import addFormats from 'ajv-formats';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ERROR_CODES } from '../../src/errors/codes.ts';
import { WIRE_NAMES, type WireName } from '../../src/wire/names.ts';
import { WIRE_SCHEMAS } from '../../src/wire/schemas.ts';
import { wireJsonSchema, type JsonSchema } from '../../src/wire/wire-json-schema.ts';
import { EXAMPLES } from './examples/all.ts';

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

describe.each(WIRE_NAMES)('every validator of %s.v1', (name) => {
  const examples = EXAMPLES[name] as readonly Example[];

  it(`accepts each example of ${name}.v1, before and after a JSON round trip`, () => {
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) {
      expect([example, verdicts(name, example)]).toEqual([example, ACCEPTED]);
      expect([example, verdicts(name, JSON.parse(JSON.stringify(example)))]).toEqual([example, ACCEPTED]);
    }
  });

  it(`rejects each example of ${name}.v1 with one fault`, () => {
    for (const example of examples) {
      const faults = faultsOf(name, example);
      expect(faults.map(({ fault }) => fault)).toContain('an extra key');
      for (const { fault, value } of faults) expect([fault, verdicts(name, value)]).toEqual([fault, REFUSED]);
    }
  });
});

describe('wireJsonSchema', () => {
  it('covers every variant of every union with an example', () => {
    for (const name of WIRE_NAMES) {
      const used = EXAMPLES[name].map((example) => tagOf(example as Example));
      const tags = variantsOf(wireJsonSchema(name)).map((variant) => tagOf(constantsOf(variant)));
      expect({ name, missing: tags.filter((tag) => !used.includes(tag)) }).toEqual({ name, missing: [] });
    }
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
  it.each([
    ['a time without offset', { created_at: '2026-03-01T09:30:00' }],
    ['a date alone', { created_at: '2026-03-01' }],
    ['a relevance above 1', { retrieval: { ...EXAMPLES.answer[0]?.retrieval, top_score: 1.01 } }],
    ['a fraction of a token', { usage: { prompt_tokens: 1.5, completion_tokens: 0, latency_ms: 0 } }],
    ['an unknown refusal', { refusal_reason: 'tired' }],
    ['undefined instead of null', { turn_index: undefined }],
  ])('reject %s in an answer', (_case, change) => {
    expect(verdicts('answer', { ...EXAMPLES.answer[0], ...change })).toEqual(REFUSED);
  });

  it.each([
    ['101 hits', { k: 101 }],
    ['no hit', { k: 0 }],
    ['a snippet of 59 characters', { snippet_chars: 59 }],
    ['a blank query', { query: ' \t' }],
    ['a medium that does not exist', { media: ['video'] }],
    ['a single value instead of a list', { tag: 'rust' }],
    ['a filter by its internal name', { pathGlob: ['**'] }],
  ])('reject a query for %s', (_case, change) => {
    expect(verdicts('bulk_search_input', { query: 'x', ...change })).toEqual(REFUSED);
  });

  it('reject line 0, upper-case ids, and the details of another code', () => {
    expect(verdicts('citation', { ...EXAMPLES.citation[0], start: 0 })).toEqual(REFUSED);
    expect(verdicts('search_hit', { ...EXAMPLES.search_hit[0], doc_id: 'A'.repeat(32) })).toEqual(REFUSED);
    expect(verdicts('error', { ...EXAMPLES.error[0], details: EXAMPLES.error[1]?.details })).toEqual(REFUSED);
    expect(verdicts('error', { ...EXAMPLES.error[0], message: 'two\nlines' })).toEqual(REFUSED);
  });
});

type Example = Readonly<Record<string, unknown>>;

function validators(
  readerIn: (ajv: Ajv2020) => (name: WireName) => ValidateFunction | undefined,
): Readonly<Record<WireName, ValidateFunction>> {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
  addFormats.default(ajv);
  const reader = readerIn(ajv);
  return Object.fromEntries(WIRE_NAMES.map((name) => [name, reader(name)])) as Record<WireName, ValidateFunction>;
}

/** The example with one fault at a time: an extra key, a missing required key, a word that is not in a closed list. */
function faultsOf(name: WireName, example: Example): readonly { readonly fault: string; readonly value: unknown }[] {
  const schema = wireJsonSchema(name);
  const required = variantOf(schema, example)['required'] as readonly string[];
  return [
    { fault: 'an extra key', value: { ...example, unheard_of: 1 } },
    ...required.map((key) => ({
      fault: `no ${key}`,
      value: Object.fromEntries(Object.entries(example).filter(([member]) => member !== key)),
    })),
    ...closedWords(schema, schema, example, []).map((path) => ({
      fault: `another word at ${path.join('.')}`,
      value: withAt(example, path, 'unheard_of'),
    })),
  ];
}

/** The paths in `value` where only a word of a closed list is allowed; of an array, its first item. */
function closedWords(
  root: JsonSchema,
  given: JsonSchema,
  value: unknown,
  path: readonly string[],
): readonly (readonly string[])[] {
  const schema = variantOf(resolved(root, given), value);
  if (typeof value === 'string') return 'const' in schema || 'enum' in schema ? [path] : [];
  if (Array.isArray(value)) {
    const items = schema['items'] as JsonSchema | false | undefined;
    return value.length > 0 && items ? closedWords(root, items, value[0], [...path, '0']) : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;
  return Object.entries(value).flatMap(([key, member]) =>
    properties[key] === undefined ? [] : closedWords(root, properties[key], member, [...path, key]),
  );
}

function resolved(root: JsonSchema, schema: JsonSchema): JsonSchema {
  if (typeof schema['$ref'] !== 'string') return schema;
  const definitions = root['$defs'] as Readonly<Record<string, JsonSchema>>;
  return definitions[schema['$ref'].slice('#/$defs/'.length)] ?? schema;
}

/** The union variant that matches a value: the one of its kind, else the one that is not null. */
function variantOf(schema: JsonSchema, value: unknown): JsonSchema {
  const variants = variantsOf(schema);
  if (variants.length === 1 || typeof value !== 'object' || value === null) return variants[0] ?? schema;
  const constants = ['kind', 'code'].filter((key) => key in value);
  const meant = variants.find(({ properties, type }) =>
    constants.length === 0
      ? type !== 'null'
      : constants.some(
          (key) => (properties as Record<string, JsonSchema> | undefined)?.[key]?.['const'] === (value as Example)[key],
        ),
  );
  return meant ?? variants[0] ?? schema;
}

function withAt(value: unknown, path: readonly string[], word: string): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return word;
  if (Array.isArray(value)) return value.with(Number(key), withAt(value[Number(key)], rest, word));
  return { ...(value as Example), [key]: withAt((value as Example)[key], rest, word) };
}

function variantsOf(schema: JsonSchema): readonly JsonSchema[] {
  return (schema['oneOf'] ?? schema['anyOf'] ?? [schema]) as readonly JsonSchema[];
}

function constantsOf(variant: JsonSchema): Readonly<Record<string, unknown>> {
  const properties = variant['properties'] as Readonly<Record<string, JsonSchema>>;
  return Object.fromEntries(Object.entries(properties).map(([key, schema]) => [key, schema['const']]));
}

/** The discriminator of variants; empty for objects with a single shape. */
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
