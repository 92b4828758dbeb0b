import * as z from 'zod';
import { spellingsOf } from '../requests/arguments.ts';
import type { Field, Fields, RequestOf } from '../requests/field.ts';

/** The schema of a request on the wire: for documents and tests, since requests are read without zod. */
export function requestSchema<F extends Fields>(fields: F): z.ZodType<RequestOf<F>> {
  const shape = Object.entries(fields).map(([key, field]) => {
    const schema = schemaOf(field);
    return [key, (field.required === true ? schema : z.exactOptional(schema)).describe(field.summary)] as const;
  });
  return z.strictObject(Object.fromEntries(shape)) as unknown as z.ZodType<RequestOf<F>>;
}

function schemaOf(field: Field): z.ZodType {
  switch (field.kind) {
    case 'text':
      return field.notBlank === true ? z.string().regex(/\S/) : z.string();
    case 'choice':
      return z.enum(field.choices);
    case 'integer':
    case 'number': {
      const { min = -Infinity, max = Infinity } = field;
      const number = field.kind === 'integer' ? z.int() : z.number();
      const fromMin = min === -Infinity ? number : number.min(min);
      return max === Infinity ? fromMin : fromMin.max(max);
    }
    case 'boolean':
      return z.boolean();
    case 'time':
      return z.string();
    case 'texts': {
      const spellings = spellingsOf(field);
      return z.array(spellings === undefined ? z.string() : z.enum(spellings));
    }
    case 'requests':
      return z.array(requestSchema(field.fields)).min(field.min).max(field.max);
    default:
      return field satisfies never;
  }
}
