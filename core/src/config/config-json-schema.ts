import type { ConfigKey, Members, TablesKey } from '../settings/config-key.ts';
import { constraintText } from './constraint-text.ts';
import type { KeyTable } from './key-table.ts';
import { defaultOf } from './read-value.ts';

/** A JSON Schema, or a part of one. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The JSON Schema (2020-12) of a configuration file, for editors. kebab itself validates with the table of keys. */
export function configJsonSchema({ members }: KeyTable): JsonSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'kebab configuration',
    ...tableSchema(members),
  };
}

function tableSchema(members: Members, required: readonly string[] = []): JsonSchema {
  const properties = Object.entries(members).map(([name, node]) => [
    name,
    node.kind === 'section' ? { description: node.doc, ...tableSchema(node.members) } : keySchema(node),
  ]);
  return {
    type: 'object',
    properties: Object.fromEntries(properties) as JsonSchema,
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

function keySchema(key: ConfigKey): JsonSchema {
  const value = defaultOf(key);
  const constraint = key.kind === 'text' ? constraintText(key) : '';
  const description = constraint === '' ? key.doc : `${key.doc} (${constraint})`;
  return { description, ...typeSchema(key), ...(value === null ? {} : { default: value }) };
}

function typeSchema(key: ConfigKey): JsonSchema {
  switch (key.kind) {
    case 'bool':
      return { type: 'boolean' };
    case 'int':
    case 'number':
      return {
        type: key.kind === 'int' ? 'integer' : 'number',
        minimum: key.min,
        ...(key.max === null ? {} : { maximum: key.max }),
      };
    case 'text':
      return { type: 'string', ...(key.pattern === null ? {} : { pattern: key.pattern.source }) };
    case 'enum':
      return { enum: key.values };
    case 'url':
      return { type: 'string', pattern: '^[Hh][Tt][Tt][Pp][Ss]?://' };
    case 'path':
      return { type: 'string', minLength: 1 };
    case 'texts':
      return { type: 'array', items: { type: 'string' } };
    case 'paths':
      return { type: 'array', items: { type: 'string', minLength: 1 } };
    case 'free_table':
      return { type: 'object' };
    case 'tables':
      return { type: 'array', items: entrySchema(key) };
    default:
      return key satisfies never;
  }
}

function entrySchema({ fields, required, shorthand }: TablesKey): JsonSchema {
  const table = tableSchema(fields, required);
  return shorthand === null ? table : { anyOf: [{ type: 'string' }, table] };
}
