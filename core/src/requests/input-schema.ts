import { spellingsOf } from './arguments.ts';
import type { Field, Fields } from './field.ts';

/** A JSON Schema. */
export type InputSchema = Readonly<Record<string, unknown>>;

/** The JSON Schema of the arguments of a tool: one flat object, closed, without unions. */
export function inputSchemaOf(fields: Fields): InputSchema {
  const required = Object.keys(fields).filter((key) => fields[key]?.required === true);
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, schemaOf(field)])),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

function schemaOf(field: Field): InputSchema {
  const { description = field.summary } = field;
  switch (field.kind) {
    case 'boolean':
      return { type: 'boolean', description };
    case 'integer':
    case 'number':
      return withoutAbsent({ type: field.kind, description, minimum: field.min, maximum: field.max });
    case 'text':
      return withoutAbsent({ type: 'string', description, maxLength: field.maxToolChars });
    case 'time':
      return { type: 'string', description };
    case 'choice':
      return { type: 'string', description, enum: field.choices };
    case 'texts':
      return { type: 'array', description, items: withoutAbsent({ type: 'string', enum: spellingsOf(field) }) };
    case 'requests': {
      const { fields, min, max } = field;
      return { type: 'array', description, items: inputSchemaOf(fields), minItems: min, maxItems: max };
    }
    default:
      return field satisfies never;
  }
}

function withoutAbsent(schema: InputSchema): InputSchema {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));
}
