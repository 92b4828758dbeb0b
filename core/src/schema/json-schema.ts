import { type Field, type Fields, type Members, spellingsOf } from './field.ts';

/** A JSON Schema, or a part of one. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The JSON Schema of a table or a request: one object, closed, with the members that it requires. */
export function objectSchema(members: Members, describe: (field: Field) => JsonSchema): JsonSchema {
  const properties = Object.entries(members).map(([name, node]) => [
    name,
    node.kind === 'section'
      ? { description: node.doc, ...objectSchema(node.members, describe) }
      : valueSchema(node, describe),
  ]);
  const required = Object.keys(members).filter((name) => (members[name] as Partial<Field>).required === true);
  return {
    type: 'object',
    properties: Object.fromEntries(properties) as JsonSchema,
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

function valueSchema(field: Field, describe: (field: Field) => JsonSchema): JsonSchema {
  const { type, ...constraints } = typeSchema(field, describe);
  const { description, ...others } = describe(field);
  return withoutAbsent({ type, description, ...constraints, ...others });
}

function typeSchema(field: Field, describe: (field: Field) => JsonSchema): JsonSchema {
  switch (field.kind) {
    case 'bool':
      return { type: 'boolean' };
    case 'int':
    case 'number':
      return { type: field.kind === 'int' ? 'integer' : 'number', minimum: field.min, maximum: field.max };
    case 'text':
      return { type: 'string', pattern: field.pattern?.source };
    case 'enum':
      return { type: 'string', enum: field.values };
    case 'time':
      return { type: 'string' };
    case 'url':
      return { type: 'string', pattern: '^[Hh][Tt][Tt][Pp][Ss]?://' };
    case 'path':
      return { type: 'string', minLength: 1 };
    case 'texts':
      return {
        type: 'array',
        items: withoutAbsent({ type: 'string', enum: spellingsOf(field) }),
        maxItems: field.max,
      };
    case 'paths':
      return { type: 'array', items: { type: 'string', minLength: 1 } };
    case 'free_table':
      return { type: 'object' };
    case 'tables': {
      const { fields, shorthand, min, max, isBrief } = field;
      const entry = isBrief === true ? { type: 'object' } : objectSchema(fields, describe);
      const items = shorthand === undefined ? entry : { anyOf: [{ type: 'string' }, entry] };
      return { type: 'array', items, minItems: min, maxItems: max };
    }
    default:
      return field satisfies never;
  }
}

function withoutAbsent(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));
}

/** The JSON Schema of the arguments of a tool, described for agents. */
export function inputSchemaOf(fields: Fields): JsonSchema {
  return objectSchema(fields, (field) => ({
    description: field.description ?? field.doc,
    maxLength: field.kind === 'text' ? field.maxToolChars : undefined,
  }));
}
