import { invalidInput, nearestName } from '@kebab/core/app';
import type { JsonObject } from '../protocol/json-rpc.ts';
import type { Parameter } from './parameter.ts';

const WANTED: Readonly<Record<Parameter['type'], string>> = {
  string: 'a text',
  integer: 'a whole number',
  boolean: 'true or false',
  strings: 'a list of texts',
  objects: 'a list of objects',
};

/**
 * Checks names and types of arguments; the use case itself checks what they mean. Throws `invalid_input` naming the field:
 * for a name that is not known with the nearest one that is, for a wrong type, for a value outside a closed set or range, for a text that is too long,
 * and for one that is missing.
 */
export function checkArguments(args: JsonObject, parameters: readonly Parameter[]): void {
  const known = parameters.map(({ name }) => name);
  for (const [name, value] of Object.entries(args)) {
    const parameter = parameters.find((each) => each.name === name);
    if (parameter === undefined) throw unknownArgument(name, known);
    if (!hasType(value, parameter.type)) throw wrongValue(parameter, WANTED[parameter.type], value);
    checkValue(value, parameter);
  }
  const missing = parameters.find(({ name, required }) => required === true && args[name] === undefined);
  if (missing === undefined) return;
  throw invalidInput(`the argument ${missing.name} is missing`, { field: missing.name, allowed: known });
}

function hasType(value: unknown, type: Parameter['type']): boolean {
  switch (type) {
    case 'string':
      return typeof value === 'string';
    case 'boolean':
      return typeof value === 'boolean';
    case 'integer':
      return Number.isSafeInteger(value);
    case 'strings':
      return Array.isArray(value) && value.every((item) => typeof item === 'string');
    case 'objects':
      return Array.isArray(value);
    default:
      return type satisfies never;
  }
}

function checkValue(value: unknown, parameter: Parameter): void {
  const { name, allowed, minimum = -Infinity, maximum = Infinity } = parameter;
  if (parameter.type === 'integer' && ((value as number) < minimum || (value as number) > maximum))
    throw wrongValue(parameter, rangeOf(minimum, maximum), value);
  if (parameter.type === 'string' && (value as string).length > maximum)
    throw wrongValue(parameter, `a text of at most ${maximum} characters`, value);
  if (allowed === undefined) return;
  const outside = (Array.isArray(value) ? (value as readonly string[]) : [value as string]).find(
    (item) => !allowed.includes(item),
  );
  if (outside === undefined) return;
  throw invalidInput(`${JSON.stringify(clip(outside))} is not a ${name}: it is one of ${allowed.join(', ')}`, {
    field: name,
    value: clip(outside),
    allowed,
    suggestion: nearestName(outside, allowed),
  });
}

function unknownArgument(name: string, known: readonly string[]): Error {
  const suggestion = nearestName(name, known);
  return invalidInput(`${JSON.stringify(clip(name))} is not an argument of this tool`, {
    field: clip(name),
    allowed: known,
    suggestion,
    ...(suggestion === undefined ? {} : { hint: `did you mean ${JSON.stringify(suggestion)}?` }),
  });
}

function wrongValue({ name }: Parameter, wanted: string, value: unknown): Error {
  return invalidInput(`${name} is ${wanted}`, { field: name, value: clip(JSON.stringify(value)) });
}

function rangeOf(minimum: number, maximum: number): string {
  return maximum === Infinity ? `a whole number from ${minimum}` : `a whole number from ${minimum} to ${maximum}`;
}

function clip(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
