import * as z from 'zod';
import { WIRE_NAMES, type WireName } from './names.ts';
import { WIRE_SCHEMAS } from './schemas.ts';

/** A JSON Schema, or a part of one. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** Keywords in output order; others follow in their original order. */
const KEYWORDS = [
  '$schema',
  '$id',
  'title',
  'description',
  '$ref',
  'type',
  'const',
  'enum',
  'format',
  'pattern',
  'minimum',
  'maximum',
  'properties',
  'required',
  'additionalProperties',
  'prefixItems',
  'items',
  'minItems',
  'maxItems',
  'oneOf',
  'anyOf',
  '$defs',
];

/**
 * The JSON Schema (2020-12) of a wire object, self-contained. Nested named objects appear once under `$defs`; the root is never a `$ref`
 * and always has `type: object`, as tool descriptions require. Equal input gives equal text, keys included.
 */
export function wireJsonSchema(name: WireName): JsonSchema {
  const { $schema, $defs, ...body } = z.toJSONSchema(WIRE_SCHEMAS[name], {
    io: 'output',
    unrepresentable: 'any',
    metadata: new NestedNames(name),
    override: ({ jsonSchema }) => simplify(jsonSchema as Record<string, unknown>),
  }) as JsonSchema;
  return ordered({
    $schema,
    $id: idOf(name),
    title: `${name}.v1`,
    ...body,
    type: 'object',
    ...($defs === undefined ? {} : { $defs: withoutIds($defs as Readonly<Record<string, JsonSchema>>) }),
  });
}

/**
 * The same schema as a file next to those of the other objects: a nested named object is a `$ref` to the `$id` of that object's file
 * instead of a copy.
 */
export function wireSchemaFile(name: WireName): JsonSchema {
  const { $defs: _copies, ...schema } = wireJsonSchema(name);
  return withReferencesToFiles(schema) as JsonSchema;
}

function withReferencesToFiles(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withReferencesToFiles);
  if (!isSchema(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([keyword, member]) => [
      keyword,
      keyword === '$ref' ? idOf(String(member).replace('#/$defs/', '')) : withReferencesToFiles(member),
    ]),
  );
}

function idOf(name: string): string {
  return `urn:kebab:wire:v1:${name}`;
}

/** The global descriptions, and an id for every named object except the one being written. */
class NestedNames extends z.core.$ZodRegistry<z.GlobalMeta> {
  readonly #ids: ReadonlyMap<z.core.$ZodType, string>;

  constructor(root: WireName) {
    super();
    this.#ids = new Map(WIRE_NAMES.filter((name) => name !== root).map((name) => [WIRE_SCHEMAS[name], name]));
  }

  override get<S extends z.core.$ZodType>(schema: S): z.core.$replace<z.GlobalMeta, S> | undefined {
    const id = this.#ids.get(schema);
    const meta = z.globalRegistry.get(schema);
    return id === undefined ? meta : { ...meta, id };
  }
}

/** Removes what zod adds and JSON implies: the bounds of safe integers, and that keys are strings. */
function simplify(schema: Record<string, unknown>): void {
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum'];
  if (JSON.stringify(schema['propertyNames']) === '{"type":"string"}') delete schema['propertyNames'];
}

function withoutIds(definitions: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return Object.fromEntries(
    Object.entries(definitions)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, { id: _id, $id: _$id, ...schema }]) => [name, schema]),
  );
}

function ordered(schema: JsonSchema): JsonSchema {
  const keywords = Object.keys(schema).toSorted((a, b) => place(a) - place(b));
  return Object.fromEntries(keywords.map((keyword) => [keyword, orderedMember(keyword, schema[keyword])]));
}

function orderedMember(keyword: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => (isSchema(item) ? ordered(item) : item));
  if (!isSchema(value)) return value;
  if (keyword !== 'properties' && keyword !== '$defs') return ordered(value);
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, isSchema(member) ? ordered(member) : member]),
  );
}

function place(keyword: string): number {
  const at = KEYWORDS.indexOf(keyword);
  return at === -1 ? KEYWORDS.length : at;
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
