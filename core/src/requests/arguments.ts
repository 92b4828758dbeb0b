import { clipped, invalidInput, nearestName } from '../errors/invalid-input.ts';
import { checkCount, wrongValue, type Field, type Fields, type RequestOf, type RequestObject } from './field.ts';

const WANTED: Readonly<Record<Field['kind'], string>> = {
  text: 'a string',
  choice: 'a string',
  time: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  texts: 'a list of strings',
  requests: 'a list',
};

/**
 * Validates the arguments of a tool: names, types and ranges. Their meaning, and the items of a list of requests, are checked by the use
 * case. Throws `invalid_input` naming the field: for an unknown name (with the nearest known one), a wrong type, a value outside a closed
 * set or range, a text that is too long, and a missing field.
 */
export function readArguments<F extends Fields>(args: RequestObject, fields: F): RequestOf<F> {
  const known = Object.keys(fields);
  for (const [name, value] of Object.entries(args)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field === undefined) throw unknownArgument(name, known);
    checkArgument(name, field, value);
  }
  const missing = known.find((name) => fields[name]?.required === true && args[name] === undefined);
  if (missing !== undefined)
    throw invalidInput(`the argument ${missing} is missing`, {
      field: missing,
      allowed: known,
      hint: `${missing}: ${fields[missing]?.description ?? fields[missing]?.summary}`,
    });
  return args as RequestOf<F>;
}

function checkArgument(name: string, field: Field, value: unknown): void {
  const wrong = (wanted: string): Error => wrongValue(name, wanted, value);
  switch (field.kind) {
    case 'boolean':
      if (typeof value !== 'boolean') throw wrong(WANTED.boolean);
      return;
    case 'integer':
    case 'number': {
      const { min = -Infinity, max = Infinity } = field;
      const fits = field.kind === 'integer' ? Number.isSafeInteger(value) : Number.isFinite(value);
      if (!fits) throw wrong(WANTED[field.kind]);
      const range = max === Infinity ? `from ${min}` : `from ${min} to ${max}`;
      if ((value as number) < min || (value as number) > max) throw wrong(`${WANTED[field.kind]} ${range}`);
      return;
    }
    case 'text':
    case 'time':
    case 'choice': {
      if (typeof value !== 'string') throw wrong(WANTED[field.kind]);
      const longest = field.kind === 'text' ? (field.maxToolChars ?? Infinity) : Infinity;
      if (value.length > longest) throw wrong(`a string of at most ${longest} characters`);
      if (field.kind === 'choice') checkChoices(name, [value], field.choices);
      return;
    }
    case 'texts':
      if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) throw wrong(WANTED.texts);
      checkCount(name, value, field.max);
      checkChoices(name, value, spellingsOf(field));
      return;
    case 'requests':
      if (!Array.isArray(value)) throw wrong(WANTED.requests);
      return;
    default:
      return field satisfies never;
  }
}

/** Every accepted value of a closed set, aliases last; undefined when the set is open. */
export function spellingsOf({
  choices,
  aliases = {},
}: Extract<Field, { readonly kind: 'texts' }>): readonly string[] | undefined {
  return choices === undefined ? undefined : [...choices, ...Object.keys(aliases)];
}

function checkChoices(name: string, values: readonly string[], allowed: readonly string[] | undefined): void {
  const outside = allowed === undefined ? undefined : values.find((value) => !allowed.includes(value));
  if (allowed === undefined || outside === undefined) return;
  throw invalidInput(`${name} must be one of ${allowed.join(', ')}, not ${JSON.stringify(clipped(outside))}`, {
    field: name,
    value: clipped(outside),
    allowed,
    suggestion: nearestName(outside, allowed),
  });
}

function unknownArgument(name: string, known: readonly string[]): Error {
  const suggestion = nearestName(name, known);
  return invalidInput(`${JSON.stringify(clipped(name))} is not an argument of this tool`, {
    field: clipped(name),
    allowed: known,
    suggestion,
    hint: suggestion === undefined ? undefined : `did you mean ${JSON.stringify(suggestion)}?`,
  });
}

/** A JSON Schema. */
type InputSchema = Readonly<Record<string, unknown>>;

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
      return withoutAbsent({
        type: 'array',
        description,
        items: withoutAbsent({ type: 'string', enum: spellingsOf(field) }),
        maxItems: field.max,
      });
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

/** A flag of the command line, as its request declares it. */
export interface RequestFlag {
  readonly name: string;
  readonly short?: string | undefined;
  readonly kind: 'boolean' | 'string' | 'integer' | 'number';
  /** The placeholder for its value in help. */
  readonly value?: string | undefined;
  readonly repeats?: boolean | undefined;
  readonly commas?: boolean | undefined;
  /** The only accepted values. */
  readonly choices?: readonly string[] | undefined;
  /** Completions for the shell, where values are validated elsewhere or other values are possible. */
  readonly offers?: readonly string[] | undefined;
  /** The minimum and the maximum. */
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly summary: string;
}

/** The flags of a request, in its order: those of `keys`, by default those of every optional member. */
export function flagsOf<F extends Fields>(fields: F, keys?: readonly (keyof F & string)[]): readonly RequestFlag[] {
  const chosen = keys ?? Object.keys(fields).filter((key) => fields[key]?.required !== true);
  return chosen.flatMap((key) => {
    const field: Field | undefined = fields[key];
    return field === undefined ? [] : [flagOf(key, field)];
  });
}

/** The flag name of a request member. */
export function flagName(key: string, field: Field): string {
  return field.flag ?? key.replaceAll('_', '-');
}

function flagOf(key: string, field: Field): RequestFlag {
  const flag = {
    name: flagName(key, field),
    short: field.short,
    value: field.placeholder,
    summary: field.summary,
  };
  switch (field.kind) {
    case 'boolean':
      return { ...flag, kind: field.kind };
    case 'integer':
    case 'number':
      return { ...flag, kind: field.kind, min: field.min, max: field.max };
    case 'text':
    case 'time':
    case 'requests':
      return { ...flag, kind: 'string' };
    case 'choice':
      // Filters are validated where they are parsed, with the same messages as in a bulk line.
      return {
        ...flag,
        kind: 'string',
        choices: field.isFilter === true ? undefined : field.choices,
        offers: field.choices,
      };
    case 'texts':
      return {
        ...flag,
        kind: 'string',
        repeats: true,
        commas: field.commas,
        offers: field.choices,
        summary: withChoices(field),
      };
    default:
      return field satisfies never;
  }
}

/** The summary with the allowed values, each with its alias. */
function withChoices({
  summary,
  choices = [],
  aliases = {},
}: {
  readonly summary: string;
  readonly choices?: readonly string[];
  readonly aliases?: Readonly<Record<string, string>>;
}): string {
  const last = choices.at(-1);
  if (last === undefined) return summary;
  const shown = choices.map((choice) => {
    const short = Object.keys(aliases).find((alias) => aliases[alias] === choice);
    return short === undefined ? choice : `${choice} (${short})`;
  });
  return `${summary}: ${shown.slice(0, -1).join(', ')} or ${shown.at(-1)}`;
}
