import { clipped, invalidInput, nearestName, shownValue } from '../errors/invalid-input.ts';
import { problemWith } from '../schema/value.ts';
import { camelCase, type CamelCased, type Field, type Fields, type RequestOf } from '../schema/field.ts';

/** An unparsed request, with snake_case keys. */
export type RequestObject = Readonly<Record<string, unknown>>;

/** Whose names a request uses: the arguments of a tool, or the keys of a line of a bulk search. */
type Caller = 'tool' | 'line';

/**
 * Checks a request: names, types, closed lists and ranges; what the values mean, and whether a text may be blank, is for who uses them.
 * Members that are undefined count as absent. Throws `invalid_input` naming the field, and the nearest one for an unknown name.
 */
export function readRequest<F extends Fields>(
  request: RequestObject,
  fields: F,
  caller: Caller = 'line',
): RequestOf<F> {
  const known = Object.keys(fields);
  for (const [name, value] of Object.entries(request)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field === undefined) throw unknownName(name, fields, caller);
    const isBlank = field.kind === 'text' && typeof value === 'string' && value.trim() === '';
    if (value !== undefined && !isBlank) checkMember(name, field, value);
    if (caller === 'tool') checkLength(name, field, value);
  }
  const missing = known.find((name) => fields[name]?.required === true && request[name] === undefined);
  if (missing !== undefined)
    throw invalidInput(`${caller === 'tool' ? 'the argument ' : ''}${missing} is missing`, {
      field: missing,
      allowed: known,
      hint: `${missing}: ${fields[missing]?.description ?? fields[missing]?.doc}`,
    });
  return request as RequestOf<F>;
}

/** Returns the value of a member if it fits its field; throws `invalid_input` otherwise. */
export function checkMember<T>(name: string, field: Field, value: T): T {
  const problem = problemWith(field, value);
  if (problem === undefined) return value;
  const { expected, allowed, suggestion } = problem;
  const shown = problem.shown ?? shownValue(problem.value);
  const isPlain = allowed !== undefined && typeof problem.value === 'string';
  throw invalidInput(`${name} must be ${expected}, not ${shown}`, {
    field: name,
    value: isPlain ? clipped(problem.value) : shown,
    ...(allowed === undefined ? {} : { allowed, suggestion }),
  });
}

/** Checks the members of a request with camelCase keys, of which any may be absent. Throws like {@link checkMember}. */
export function checkMembers<F extends Fields>(fields: F, values: CamelCased<Partial<RequestOf<F>>>): void {
  for (const [name, field] of Object.entries(fields)) {
    const value = (values as RequestObject)[camelCase(name)];
    const isBlank = field.kind === 'text' && typeof value === 'string' && value.trim() === '';
    if (value !== undefined && !isBlank) checkMember(name, field, value);
  }
}

function checkLength(name: string, field: Field, value: unknown): void {
  const max = field.kind === 'text' ? (field.maxToolChars ?? Infinity) : Infinity;
  if (typeof value !== 'string' || value.length <= max) return;
  const shown = shownValue(value);
  throw invalidInput(`${name} must be a text of at most ${max} characters, not ${shown}`, {
    field: name,
    value: shown,
  });
}

/** The fields that a name may stand for: the one of that name, else those that have it among their synonyms. */
export function fieldsCalled(name: string, fields: Fields): readonly string[] {
  if (Object.hasOwn(fields, name)) return [name];
  return Object.keys(fields).filter((key) => fields[key]?.synonyms?.includes(name));
}

/** Suggests the field of that synonym or of a near name, else one that is a word of it: `case` for `ignore_case`. */
function unknownName(name: string, fields: Fields, caller: Caller): Error {
  const known = Object.keys(fields);
  const names = known.flatMap((key) => [key, ...(fields[key]?.synonyms ?? [])]);
  const near = nearestName(name, names) ?? known.find((key) => name.split(/[_-]/).includes(key));
  const suggestion = near === undefined ? undefined : fieldsCalled(near, fields)[0];
  const what = caller === 'tool' ? 'an argument of this tool' : 'a key of this request';
  return invalidInput(`${JSON.stringify(clipped(name))} is not ${what}`, {
    field: clipped(name),
    allowed: known,
    suggestion,
    hint: suggestion === undefined ? undefined : `did you mean ${JSON.stringify(suggestion)}?`,
  });
}
