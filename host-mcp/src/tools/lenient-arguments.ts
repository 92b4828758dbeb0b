import type { Fields } from '@kebab/core/app';
import { isObject, jsonOf, type JsonObject } from '../protocol/surface.ts';

/**
 * Converts arguments as models write them to the types that a tool declares, wherever only one meaning is possible: numbers, booleans and
 * lists as texts, values of a closed list in other case, and null or an empty text for an argument that is left out.
 * Everything else is passed as it is, for the check of the request.
 */
export function lenientArguments(args: JsonObject, fields: Fields): JsonObject {
  const read = Object.entries(args).flatMap(([name, value]) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (value === null || (value === '' && field?.required !== true)) return field === undefined ? [[name, value]] : [];
    return [[name, field === undefined ? value : valueFor(field, value)]];
  });
  return Object.fromEntries(read) as JsonObject;
}

function valueFor(field: Fields[string], value: unknown): unknown {
  switch (field.kind) {
    case 'bool':
      return typeof value === 'string' ? (BOOLEANS.get(value.trim().toLowerCase()) ?? value) : value;
    case 'int':
    case 'number':
      return typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : value;
    case 'enum':
      return field.values.find((each) => typeof value === 'string' && each === value.trim().toLowerCase()) ?? value;
    case 'texts':
    case 'paths':
      return listOf(value);
    case 'tables': {
      const { fields } = field;
      return listOf(value).map((entry) => (isObject(entry) ? lenientArguments(entry, fields) : entry));
    }
    default:
      return value;
  }
}

const BOOLEANS = new Map([
  ['true', true],
  ['false', false],
]);

/** A list, also as JSON text; a single value is a list of one. */
function listOf(value: unknown): readonly unknown[] {
  const parsed = typeof value === 'string' && /^\s*\[/.test(value) ? jsonOf(value) : value;
  if (Array.isArray(parsed)) return parsed;
  return [typeof value === 'string' && /^\s*\{/.test(value) ? jsonOf(value) : value];
}
