interface Described {
  /** A phrase for the help of the command line and for schemas. */
  readonly summary: string;
  /** What a tool says of it to an agent, in sentences; the summary when it is left out. */
  readonly description?: string;
  readonly required?: true;
  /** The name of its flag, when that is not its key with dashes. */
  readonly flag?: string;
  /** The letter that stands for its flag. */
  readonly short?: string;
  /** The word for its value in the help of the command line, as in `--k N`. */
  readonly placeholder?: string;
}

/** One member of a request, as data: flags, help, tool inputs, checks, types and schemas derive from it. */
export type Field = Described &
  (
    | {
        readonly kind: 'text';
        /** Whether it must hold more than white space. */
        readonly notBlank?: true;
        /** The longest that a tool takes; a command line and a bulk line know no limit. */
        readonly maxToolChars?: number;
      }
    | { readonly kind: 'choice'; readonly choices: readonly string[]; readonly isFilter?: true }
    | { readonly kind: 'integer' | 'number'; readonly min?: number; readonly max?: number }
    | { readonly kind: 'boolean' }
    /** A date, a time, or how long ago; see `readPeriod` and `readAgo`. */
    | { readonly kind: 'time' }
    | {
        readonly kind: 'texts';
        readonly choices?: readonly string[];
        /** Other spellings of a choice. */
        readonly aliases?: Readonly<Record<string, string>>;
        /** Whether the command line takes several values with commas. */
        readonly commas?: true;
      }
    /** A list of requests, each with these fields. */
    | { readonly kind: 'requests'; readonly fields: Fields; readonly min: number; readonly max: number }
  );

/** The members of a request by their keys, which are in snake_case. */
export type Fields = Readonly<Record<string, Field>>;

/** The type of a request with these fields, as it comes from a tool or a bulk line. */
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

/** A request with its keys in camelCase, as the facade takes it. */
export type CamelCased<R> = { readonly [K in keyof R as K extends string ? Camel<K> : K]: R[K] };

type Camel<K extends string> = K extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : K;

/** The members that are given, under keys in camelCase. */
export function camelCased<R extends object>(request: R): CamelCased<R> {
  const given = Object.entries(request).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([key, value]) => [camelCase(key), value as unknown])) as CamelCased<R>;
}

/** `path_glob` as `pathGlob`. */
export function camelCase(key: string): string {
  return key.replaceAll(/_(.)/g, (_match, letter: string) => letter.toUpperCase());
}
