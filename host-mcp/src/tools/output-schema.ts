import { loadWireJsonSchema, type WireName } from '@kebab/core/app';
import type { JsonObject } from '../protocol/json-rpc.ts';

type Properties = Readonly<Record<string, JsonObject>>;

/** A failure, as flat as hosts need it; docs/wire-schema has the shape of the details of each code. */
const ERROR: JsonObject = {
  type: 'object',
  description: 'A failure: error.v1. code decides the shape of details.',
  properties: {
    schema_version: { type: 'string', const: 'error.v1' },
    code: { type: 'string', description: 'what kind of failure it is, as in invalid_input' },
    message: { type: 'string', description: 'one line' },
    details: { type: 'object', description: 'what is known of it' },
    hint: { anyOf: [{ type: 'string' }, { type: 'null' }], description: 'what to do' },
  },
  required: ['schema_version', 'code', 'message', 'details', 'hint'],
  additionalProperties: false,
};

/**
 * The schema of everything that a tool may answer: this wire object, or error.v1. Clients validate both against one schema, and
 * many refuse a union at its root or a list of types, so the fields of all variants stand side by side in one object;
 * `schema_version` and `kind` decide which belong together. Everything below the root is as the wire schema has it.
 */
export async function outputSchemaOf(name: WireName): Promise<JsonObject> {
  const wire = await loadWireJsonSchema(name);
  const { oneOf, $defs } = wire as { readonly oneOf?: readonly JsonObject[]; readonly $defs?: Properties };
  const variants = [...(oneOf ?? [wire]), ERROR];
  const definitions = Object.entries($defs ?? {}).map(([key, value]) => [
    key,
    key === 'error' ? ERROR : portable(value),
  ]);
  return {
    type: 'object',
    ...(wire['description'] === undefined ? {} : { description: wire['description'] }),
    properties: merged(variants.map((variant) => variant['properties'] as Properties)),
    required: ['schema_version'],
    additionalProperties: false,
    ...(definitions.length === 0 ? {} : { $defs: Object.fromEntries(definitions) as JsonObject }),
  };
}

function merged(variants: readonly Properties[]): Properties {
  const names = new Set(variants.flatMap(Object.keys));
  return Object.fromEntries(
    [...names].map((name) => [
      name,
      either(variants.flatMap(({ [name]: schema }) => (schema === undefined ? [] : [portable(schema)]))),
    ]),
  );
}

/** One schema for all of several: constants become an enum, what else differs a union. */
function either(schemas: readonly JsonObject[]): JsonObject {
  const different = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  const [first = {}] = different;
  if (different.length === 1) return first;
  if (different.every((schema) => 'const' in schema)) return { type: 'string', enum: different.map((s) => s['const']) };
  const plain = different.find((schema) => different.every((other) => isWider(schema, other)));
  return plain ?? { anyOf: different };
}

/** Whether a schema is the other one with fewer demands. */
function isWider(schema: JsonObject, other: JsonObject): boolean {
  const { description: _description, ...wide } = schema;
  return Object.entries(wide).every(([keyword, value]) => JSON.stringify(other[keyword]) === JSON.stringify(value));
}

/** The same schema without lists of types, and without schemas that say nothing. */
function portable(schema: JsonObject): JsonObject {
  const { type, ...rest } = schema;
  const inner = Object.fromEntries(
    Object.entries(rest).map(([keyword, value]) => [keyword, portableMember(keyword, value)]),
  );
  if (!Array.isArray(type)) return type === undefined ? inner : { type, ...inner };
  const { description, ...constraints } = inner;
  const variants = (type as readonly string[]).map((each) =>
    each === 'null' ? { type: each } : { type: each, ...constraints },
  );
  return { ...(description === undefined ? {} : { description }), anyOf: variants };
}

function portableMember(keyword: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => (isSchema(item) ? portable(item) : item));
  if (!isSchema(value)) return value;
  if (keyword === 'additionalProperties' && Object.keys(value).length === 0) return true; // the same, less puzzling
  if (keyword !== 'properties') return portable(value);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, portable(member as JsonObject)]));
}

function isSchema(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
