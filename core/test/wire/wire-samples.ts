import * as fc from 'fast-check';
import type { WireName } from '../../src/wire/names.ts';
import type { WireObjects } from '../../src/wire/schemas.ts';
import { wireJsonSchema, type JsonSchema } from '../../src/wire/wire-json-schema.ts';

/**
 * Values of a wire object, made from its JSON Schema. For each variant one that is full: every optional member, an item of each kind in each
 * list, a value where null is allowed; then for each one that is bare.
 */
export function wireSamples<N extends WireName>(name: N): readonly WireObjects[N][] {
  const root = wireJsonSchema(name);
  const samples = [true, false].flatMap((isFull) =>
    variantsOf(root).map((variant) => new Sampler(root, isFull).valueOf(variant)),
  );
  // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- without it the compiler gives up on the union
  return samples as WireObjects[N][];
}

/** The variants of a union; any other schema is its own only one. */
export function variantsOf(schema: JsonSchema): readonly JsonSchema[] {
  return (schema['oneOf'] ?? schema['anyOf'] ?? [schema]) as readonly JsonSchema[];
}

type Properties = Readonly<Record<string, JsonSchema>>;

class Sampler {
  readonly #root: JsonSchema;
  readonly #isFull: boolean;

  constructor(root: JsonSchema, isFull: boolean) {
    this.#root = root;
    this.#isFull = isFull;
  }

  valueOf(schema: JsonSchema): unknown {
    const { $ref, enum: words, type } = schema;
    if (typeof $ref === 'string')
      return this.valueOf((this.#root['$defs'] as Properties)[$ref.split('/').at(-1) ?? ''] ?? {});
    if ('const' in schema) return schema['const'];
    if (Array.isArray(words)) return words[0];
    const variants = Array.isArray(type)
      ? type.map((one) => ({ ...schema, type: one as unknown }))
      : variantsOf(schema);
    const [present = schema] = variants.filter((variant) => variant['type'] !== 'null');
    if (variants.length > 1)
      return this.#isFull || variants.every((one) => one['type'] !== 'null') ? this.valueOf(present) : null;
    switch (type) {
      case 'string':
        return textOf(schema);
      case 'integer':
      case 'number':
        return schema['minimum'] ?? 1;
      case 'boolean':
        return true;
      case 'array':
        return this.#listOf(schema);
      case 'object':
        return this.#objectOf(schema);
      default:
        return null;
    }
  }

  #listOf({ items, prefixItems, minItems = 0 }: JsonSchema): readonly unknown[] {
    if (Array.isArray(prefixItems)) return prefixItems.map((item) => this.valueOf(item as JsonSchema));
    return this.#isFull || minItems !== 0 ? variantsOf(items as JsonSchema).map((item) => this.valueOf(item)) : [];
  }

  #objectOf({ properties = {}, required = [], additionalProperties, propertyNames }: JsonSchema): object {
    const wanted = required as readonly string[];
    const members = Object.entries(properties as Properties).filter(([name]) => this.#isFull || wanted.includes(name));
    const others = typeof additionalProperties === 'object' ? (additionalProperties as JsonSchema) : null;
    const names = (propertyNames as JsonSchema | undefined)?.['enum'] ?? (this.#isFull ? ['any'] : []);
    const value = Object.fromEntries([
      ...members.map(([name, member]) => [name, this.valueOf(member)] as const),
      ...(others === null ? [] : (names as readonly string[]).map((name) => [name, this.valueOf(others)] as const)),
    ]);
    // Of a response and an error, an item of a bulk search has exactly one.
    if (value['schema_version'] !== 'bulk_search_item.v1') return value;
    return {
      ...value,
      response: null,
      error: new Sampler(this.#root, true).valueOf((properties as Properties)['error'] ?? {}),
    };
  }
}

function textOf({ pattern, format }: JsonSchema): unknown {
  if (format === 'date-time') return '2026-03-01T09:30:00.125+09:00';
  if (typeof pattern !== 'string' || new RegExp(pattern).test('text')) return 'text';
  return fc.sample(fc.stringMatching(new RegExp(pattern)), { numRuns: 1, seed: 1 })[0];
}
