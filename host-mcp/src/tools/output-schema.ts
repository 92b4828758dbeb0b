import { loadWireJsonSchema, type WireName } from '@kebab/core/app';
import type { JsonObject } from '../protocol/surface.ts';

type Properties = Readonly<Record<string, JsonObject>>;

/**
 * The schema of everything that a tool may return: one of these wire objects, or error.v1. It names the top-level members and their types
 * only: a host sends the list of tools to its model again and again, and docs/wire-schema has the rest. Clients validate every result
 * against one schema, and many reject a union at its root, so it contains the members of all variants side by side; `schema_version` tells
 * which belong together.
 */
export async function outputSchemaOf(names: readonly WireName[]): Promise<JsonObject> {
  const variants: Properties[] = [];
  for (const name of [...names, 'error'] as const) {
    const { oneOf, properties } = (await loadWireJsonSchema(name)) as unknown as WireSchema;
    for (const variant of oneOf ?? [{ properties }]) variants.push(variant.properties ?? {});
  }
  const members = new Set(variants.flatMap(Object.keys));
  members.delete('schema_version');
  const outlines = [...members].map((name) => [
    name,
    outlineOf(variants.flatMap(({ [name]: schema }) => (schema === undefined ? [] : [schema]))),
  ]);
  const versions = [...names, 'error'].map((name) => `${name}.v1`);
  return {
    type: 'object',
    properties: { schema_version: { type: 'string', enum: versions }, ...Object.fromEntries(outlines) },
    required: ['schema_version'],
  };
}

interface WireSchema {
  readonly oneOf?: readonly { readonly properties?: Properties }[];
  readonly properties?: Properties;
}

/** The type that all variants of a member share; empty if it may be null, or types differ. */
function outlineOf(schemas: readonly JsonObject[]): JsonObject {
  const [type = 'any', ...others] = new Set(schemas.flatMap(typesOf));
  if (type === 'any' || others.length > 0) return {};
  return type === 'array' ? { type, items: itemsOf(schemas) } : { type };
}

/** The types of a schema; `any` if it declares none. */
function typesOf({ type, const: constant, anyOf, oneOf, $ref }: JsonObject): readonly string[] {
  const union = (anyOf ?? oneOf) as readonly JsonObject[] | undefined;
  if (union !== undefined) return union.flatMap(typesOf);
  if ($ref !== undefined) return ['object'];
  if (type === undefined) return [constant === undefined ? 'any' : typeof constant];
  return Array.isArray(type) ? (type as readonly string[]) : [type as string];
}

function itemsOf(schemas: readonly JsonObject[]): JsonObject {
  const types = new Set(schemas.flatMap(({ items }) => typesOf((items ?? {}) as JsonObject)));
  const [type] = types;
  return types.size === 1 && type !== 'any' ? { type } : {};
}
