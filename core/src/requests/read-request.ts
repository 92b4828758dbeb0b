import { invalidInput, shownValue } from '../errors/invalid-input.ts';
import { nearestName } from '../errors/nearest-name.ts';
import type { Field, Fields, RequestOf } from './field.ts';

/** A request as it came, with keys in snake_case. */
export type RequestObject = Readonly<Record<string, unknown>>;

/** Throws `invalid_input` for a key that is none of `fields`, naming the nearest. */
export function rejectUnknownKeys(request: RequestObject, fields: Fields): void {
  const known = Object.keys(fields);
  for (const key of Object.keys(request)) {
    if (known.includes(key)) continue;
    const suggestion = nearestName(key, known);
    throw invalidInput(`${JSON.stringify(key)} is not a key of this request`, {
      field: key,
      allowed: known,
      suggestion,
      hint: suggestion === undefined ? undefined : `did you mean ${JSON.stringify(suggestion)}?`,
    });
  }
}

const TYPES = {
  text: 'string',
  choice: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
} as const satisfies Partial<Record<Field['kind'], string>>;

/** Fields that are one text, number or boolean each. */
export type PlainFields = Readonly<Record<string, Extract<Field, { readonly kind: keyof typeof TYPES }>>>;

/** The values of `fields` in a request; checks their types, not their ranges. Throws `invalid_input`. */
export function readFields<F extends PlainFields>(request: RequestObject, fields: F): Partial<RequestOf<F>> {
  const read: Record<string, unknown> = {};
  for (const [key, { kind }] of Object.entries(fields)) {
    const value = request[key];
    if (value === undefined) continue;
    if (typeof value !== TYPES[kind])
      throw invalidInput(`${key} is a ${TYPES[kind]}`, { field: key, value: shownValue(value) });
    read[key] = value;
  }
  return read as Partial<RequestOf<F>>;
}

/** The value when it is a whole number within the range; throws `invalid_input` else. */
export function wholeNumber(
  field: string,
  value: number,
  { min = 0, max = Number.MAX_SAFE_INTEGER }: { readonly min?: number; readonly max?: number },
): number {
  if (Number.isSafeInteger(value) && value >= min && value <= max) return value;
  const range = max === Number.MAX_SAFE_INTEGER ? `from ${min}` : `from ${min} to ${max}`;
  throw invalidInput(`${field} is a whole number ${range}, not ${value}`, { field, value: String(value) });
}
