import { invalidInput, shownValue, nearestName } from '../errors/invalid-input.ts';

interface Described {
  /** A phrase for the help of the command line and for schemas. */
  readonly summary: string;
  /** The description for agents, in sentences; defaults to the summary. */
  readonly description?: string;
  readonly required?: true;
  /** The name of its flag, if that is not its key with dashes. */
  readonly flag?: string;
  /** The short flag, one letter. */
  readonly short?: string;
  /** The placeholder for its value in the help of the command line, as in `--k N`. */
  readonly placeholder?: string;
}

/** One member of a request, as data from which flags, help, tool inputs, checks, types and schemas are derived. */
export type Field = Described &
  (
    | {
        readonly kind: 'text';
        /** Whether a blank value is rejected. */
        readonly notBlank?: true;
        /** The maximum length in a tool call; command line and bulk input are not limited. */
        readonly maxToolChars?: number;
      }
    | { readonly kind: 'choice'; readonly choices: readonly string[]; readonly isFilter?: true }
    | { readonly kind: 'integer' | 'number'; readonly min?: number; readonly max?: number }
    | { readonly kind: 'boolean' }
    /** A date, a time, or a relative time; see `readPeriod` and `readAgo`. */
    | { readonly kind: 'time' }
    | {
        readonly kind: 'texts';
        readonly choices?: readonly string[];
        /** Aliases of choices. */
        readonly aliases?: Readonly<Record<string, string>>;
        /** The maximum number of values. */
        readonly max?: number;
        /** Whether the command line accepts several values separated by commas. */
        readonly commas?: true;
      }
    /** A list of requests, each with these fields. */
    | { readonly kind: 'requests'; readonly fields: Fields; readonly min: number; readonly max: number }
  );

/** The members of a request by their snake_case keys. */
export type Fields = Readonly<Record<string, Field>>;

/** The type of a request with these fields, as received from a tool or a bulk line. */
export type RequestOf<F extends Fields> = {
  readonly [K in RequiredKey<F>]: ValueOf<F[K]>;
} & {
  readonly [K in Exclude<keyof F, RequiredKey<F>>]?: ValueOf<F[K]> | undefined;
};

type RequiredKey<F extends Fields> = {
  [K in keyof F]: F[K] extends { readonly required: true } ? K : never;
}[keyof F];

interface Values {
  readonly text: string;
  readonly time: string;
  readonly integer: number;
  readonly number: number;
  readonly boolean: boolean;
}

type ValueOf<F extends Field> = F extends { readonly kind: 'requests'; readonly fields: infer R extends Fields }
  ? readonly RequestOf<R>[]
  : F extends { readonly kind: 'texts' }
    ? readonly TextOf<F>[]
    : F extends { readonly kind: 'choice' }
      ? TextOf<F>
      : F extends { readonly kind: keyof Values }
        ? Values[F['kind']]
        : never;

type TextOf<F> = F extends { readonly choices: readonly (infer C extends string)[]; readonly aliases: infer A }
  ? C | (keyof A & string)
  : F extends { readonly choices: readonly (infer C extends string)[] }
    ? C
    : string;

/** A request with camelCase keys, as the facade accepts it. */
export type CamelCased<R> = { readonly [K in keyof R as K extends string ? Camel<K> : K]: R[K] };

type Camel<K extends string> = K extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : K;

/** Copies the given members under camelCase keys. */
export function camelCased<R extends object>(request: R): CamelCased<R> {
  const given = Object.entries(request).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([key, value]) => [camelCase(key), value as unknown])) as CamelCased<R>;
}

/** Converts `path_glob` to `pathGlob`. */
export function camelCase(key: string): string {
  return key.replaceAll(/_(.)/g, (_match, letter: string) => letter.toUpperCase());
}

/** An unparsed request, with snake_case keys. */
export type RequestObject = Readonly<Record<string, unknown>>;

/** Throws `invalid_input` for a key that is not one of `fields`, suggesting the nearest. */
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

const WANTED = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
} as const;

/** Fields with a single text, number or boolean value. */
export type PlainFields = Readonly<Record<string, Extract<Field, { readonly kind: keyof typeof TYPES }>>>;

/** The values of `fields` in a request; checks their types, not their ranges. Throws `invalid_input`. */
export function readFields<F extends PlainFields>(request: RequestObject, fields: F): Partial<RequestOf<F>> {
  const read: Record<string, unknown> = {};
  for (const [key, { kind }] of Object.entries(fields)) {
    const value = request[key];
    if (value === undefined) continue;
    if (typeof value !== TYPES[kind]) throw wrongValue(key, WANTED[TYPES[kind]], value);
    read[key] = value;
  }
  return read as Partial<RequestOf<F>>;
}

/** Returns the value if it is a whole number within the range; throws `invalid_input` otherwise. */
export function wholeNumber(
  field: string,
  value: number,
  { min = 0, max = Number.MAX_SAFE_INTEGER }: { readonly min?: number; readonly max?: number },
): number {
  if (Number.isSafeInteger(value) && value >= min && value <= max) return value;
  const range = max === Number.MAX_SAFE_INTEGER ? `from ${min}` : `from ${min} to ${max}`;
  throw wrongValue(field, `a whole number ${range}`, value);
}

/** Throws `invalid_input` for a list with more values than its field takes. */
export function checkCount(field: string, values: readonly unknown[], max = Infinity): void {
  if (values.length <= max) return;
  throw invalidInput(`${field} must be a list of at most ${max} values, not of ${values.length}`, {
    field,
    value: `${values.length} values`,
    hint: `repeat the request with at most ${max} values of ${field} each time`,
  });
}

/** The `invalid_input` error for an invalid value, which it shows, shortened. */
export function wrongValue(field: string, wanted: string, value: unknown): Error {
  const shown = shownValue(value);
  return invalidInput(`${field} must be ${wanted}, not ${shown}`, { field, value: shown });
}
