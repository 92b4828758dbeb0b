import type { JsonSchema } from '../../src/wire/wire-json-schema.ts';

/** The fields of one object: a one-line description of each, by path. */
export type WireFields = Readonly<Record<string, string>>;

/**
 * The fields of a wire schema, by path, each as one line of text: `required integer`, `optional string a|b`. In a path `[]` stands for the
 * items of a list, `{}` for the values of a map and `<line>` for one variant of a union. Named objects are not expanded: they have their
 * own schema and fields.
 */
export function wireFields(schema: JsonSchema): WireFields {
  const fields: Record<string, string> = {};
  collect('', schema, fields);
  return fields;
}

/**
 * The incompatible changes between `released` and `present` within one version: a field that is gone, has another type, lost a value, or
 * became required, and a new required field. Empty when every change only adds.
 */
export function breakingChanges(released: WireFields, present: WireFields): readonly string[] {
  const lost = Object.entries(released).flatMap(([path, before]) => {
    const after = present[path];
    if (after === undefined) return [`${path} was removed`];
    return succeeds(before, after) ? [] : [`${path} was "${before}" and is "${after}"`];
  });
  return [...lost, ...[...demandedFields(released, present)].map((path) => `${path} is new and required`)];
}

/** New required fields of existing objects; new objects may require any field. */
function demandedFields(released: WireFields, present: WireFields): ReadonlySet<string> {
  const known = new Set(Object.keys(released).map(parentOf));
  const added = Object.entries(present).filter(([path, after]) => !(path in released) && after.startsWith('required'));
  return new Set(added.map(([path]) => path).filter((path) => known.has(parentOf(path))));
}

function succeeds(before: string, after: string): boolean {
  const [presenceBefore, typeBefore, valuesBefore = ''] = before.split(' ', 3);
  const [presenceAfter, typeAfter, valuesAfter = ''] = after.split(' ', 3);
  const values = new Set(valuesAfter.split('|'));
  return (
    presenceBefore === presenceAfter &&
    typeBefore === typeAfter &&
    (valuesBefore === '') === (valuesAfter === '') &&
    valuesBefore.split('|').every((value) => values.has(value))
  );
}

/** The path of the object that a field belongs to. */
function parentOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('.'), 0));
}

function collect(path: string, schema: JsonSchema, fields: Record<string, string>): void {
  for (const variant of variantsOf(schema)) collect(`${path}${label(variant)}`, variant, fields);
  if (isSchema(schema['items'])) collect(`${path}[]`, schema['items'], fields);
  if (isSchema(schema['additionalProperties'])) collect(`${path}{}`, schema['additionalProperties'], fields);
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;
  const required = new Set((schema['required'] ?? []) as readonly string[]);
  for (const [name, property] of Object.entries(properties)) {
    const field = `${path}.${name}`;
    fields[field] = `${required.has(name) ? 'required' : 'optional'} ${describe(property)}`;
    collect(field, property, fields);
  }
}

function label(variant: JsonSchema): string {
  const properties = (variant['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;
  const constant = properties['kind']?.['const'] ?? properties['code']?.['const'];
  return typeof constant === 'string' ? `<${constant}>` : '';
}

function describe(schema: JsonSchema): string {
  const values = valuesOf(schema);
  return values.length === 0 ? typeOf(schema) : `${typeOf(schema)} ${values.join('|')}`;
}

function valuesOf(schema: JsonSchema): readonly unknown[] {
  if (Array.isArray(schema['enum'])) return schema['enum'].filter((value) => value !== null);
  if ('const' in schema) return [schema['const']];
  if (isSchema(schema['items'])) return valuesOf(schema['items']);
  return variantsOf(schema).flatMap(valuesOf);
}

function typeOf(schema: JsonSchema): string {
  const { $ref, type, items, prefixItems, additionalProperties, format, pattern } = schema;
  if (typeof $ref === 'string') return $ref.slice($ref.lastIndexOf('/') + 1);
  const variants = variantsOf(schema);
  if (variants.length > 0) return [...new Set(variants.map(typeOf))].join('|');
  if (Array.isArray(type)) return type.join('|');
  if (Array.isArray(prefixItems)) return `[${(prefixItems as readonly JsonSchema[]).map(typeOf).join(',')}]`;
  if (isSchema(items)) return `${typeOf(items)}[]`;
  if (isSchema(additionalProperties) && schema['properties'] === undefined) return `{${typeOf(additionalProperties)}}`;
  const name = typeof type === 'string' ? type : 'any';
  const shape = format ?? pattern;
  return typeof shape === 'string' ? `${name}(${shape.replaceAll(' ', '')})` : name;
}

function variantsOf(schema: JsonSchema): readonly JsonSchema[] {
  return (schema['oneOf'] ?? schema['anyOf'] ?? []) as readonly JsonSchema[];
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
