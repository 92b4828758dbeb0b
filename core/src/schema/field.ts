/** What every declaration says. */
interface Described {
  /** What it is, for people: a sentence for a setting, a phrase for a member of a request. */
  readonly doc: string;
  /** The description for agents, in sentences; defaults to `doc`. */
  readonly description?: string | undefined;
  readonly required?: true | undefined;
  /** What agents call it by habit: a tool takes these names as well, unless another of its arguments has them. */
  readonly synonyms?: readonly string[] | undefined;
  /** The name of its flag, if that is not its key with dashes. */
  readonly flag?: string | undefined;
  /** The short flag, one letter. */
  readonly short?: string | undefined;
  /** The placeholder for its value in the help of the command line, as in `--k N`. */
  readonly placeholder?: string | undefined;
}

/** True or false. */
interface BoolField {
  readonly kind: 'bool';
  readonly default?: boolean | undefined;
}

/** A whole number or a number; bounds are inclusive. */
interface NumberField {
  readonly kind: 'int' | 'number';
  readonly default?: number | null | undefined;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

/** A text. */
interface TextField {
  readonly kind: 'text';
  readonly default?: string | undefined;
  /** Whether a blank value is rejected. */
  readonly notBlank?: true | undefined;
  /** A pattern that the whole text must match. */
  readonly pattern?: RegExp | undefined;
  /** The pattern in words. */
  readonly patternDoc?: string | undefined;
  /** Never shown: views, messages and logs contain `***` instead. */
  readonly secret?: boolean | undefined;
  /** Values with a meaning independent of plugins; any other value is the id of a plugin's contribution. */
  readonly known?: readonly string[] | undefined;
  /** The maximum length in a tool call; command line and bulk input are not limited. */
  readonly maxToolChars?: number | undefined;
}

/** One value of a closed list. */
interface EnumField {
  readonly kind: 'enum';
  readonly default?: string | null | undefined;
  readonly values: readonly string[];
  readonly isFilter?: true | undefined;
}

/**
 * An http or https URL, or a path. In a project file, a URL beyond loopback takes effect only once that file is trusted. A path is expanded
 * and made absolute: a relative one is relative to the file that contains it, or to the working directory.
 */
interface AddressField {
  readonly kind: 'url' | 'path';
  readonly default?: string | undefined;
}

/** A date, a time, or a relative time; see `readPeriod` and `readAgo`. */
interface TimeField {
  readonly kind: 'time';
}

/** A list of texts, or of paths. */
interface ListField {
  readonly kind: 'texts' | 'paths';
  readonly default?: readonly string[] | null | undefined;
  /** The only accepted values. */
  readonly values?: readonly string[] | undefined;
  /** Aliases of values. */
  readonly aliases?: Readonly<Record<string, string>> | undefined;
  /** The maximum number of values. */
  readonly max?: number | undefined;
  /** Whether an empty list, or a blank value in it, is rejected. */
  readonly notBlank?: true | undefined;
  /** Whether the command line accepts several values separated by commas. */
  readonly commas?: true | undefined;
}

/** A table whose members kebab does not define. */
interface FreeTableField {
  readonly kind: 'free_table';
}

/** A list of tables with their own fields; a setting is empty by default. */
interface TablesField {
  readonly kind: 'tables';
  readonly fields: Fields;
  /** What configured tables become: sources, plugins or rules of access. */
  readonly of?: 'sources' | 'plugins' | 'rules' | undefined;
  /** The field that a plain string sets. */
  readonly shorthand?: string | undefined;
  /** Whether a schema leaves the members of its tables out, because its description names where they are. */
  readonly isBrief?: true | undefined;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

/** The kind of a value, and what it must be. */
export type FieldShape =
  | BoolField
  | NumberField
  | TextField
  | EnumField
  | AddressField
  | TimeField
  | ListField
  | FreeTableField
  | TablesField;

/**
 * One typed value as data: a setting, a member of a request, or a member of a plugin's configuration. Checks, types, flags, tool inputs,
 * variables, documentation and JSON Schemas derive from it. In a setting, a default of null means that it may be left unset.
 */
export type Field = Described & FieldShape;

/** The shape of one kind of field. */
export type FieldShapeOf<K extends Field['kind'], F extends FieldShape = FieldShape> = F extends unknown
  ? K extends F['kind']
    ? F
    : never
  : never;

/** A field of one kind. */
export type FieldOf<K extends Field['kind']> = Described & FieldShapeOf<K>;

/** Fields by their snake_case keys. */
export type Fields = Readonly<Record<string, Field>>;

/** A table of the configuration file. */
export interface Section<M extends Readonly<Record<string, Field | Section>> = Members> {
  readonly kind: 'section';
  /** One sentence, for the file that `init` writes and for the documentation. */
  readonly doc: string;
  readonly members: M;
}

/** The fields and tables of a table, by name. */
export interface Members {
  readonly [name: string]: Field | Section;
}

/** The type of the value of a field; null where it may be left unset. */
export type ValueOf<F> =
  | (F extends { readonly default: infer D } ? Extract<D, null> : never)
  | (F extends { readonly kind: 'tables'; readonly fields: infer R extends Fields }
      ? readonly RequestOf<R>[]
      : F extends { readonly kind: 'texts' | 'paths' }
        ? readonly TextOf<F>[]
        : F extends { readonly kind: 'text' | 'enum' | 'url' | 'path' | 'time' }
          ? TextOf<F>
          : F extends { readonly kind: 'bool' }
            ? boolean
            : F extends { readonly kind: 'int' | 'number' }
              ? number
              : unknown);

type TextOf<F> = F extends { readonly values: readonly (infer V extends string)[]; readonly aliases: infer A }
  ? V | (keyof A & string)
  : F extends { readonly values: readonly (infer V extends string)[] }
    ? V
    : string;

/** The type of a request with these fields, as received from a tool or a bulk line. */
export type RequestOf<F extends Fields> = {
  readonly [K in RequiredKey<F>]: ValueOf<F[K]>;
} & {
  readonly [K in Exclude<keyof F, RequiredKey<F>>]?: ValueOf<F[K]> | undefined;
};

type RequiredKey<F extends Fields> = {
  [K in keyof F]: F[K] extends { readonly required: true } ? K : never;
}[keyof F];

/** Converts `max_chunk_tokens` to `maxChunkTokens`. */
export type CamelCase<S extends string> = S extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : S;

/** A request with camelCase keys, as the facade accepts it. */
export type CamelCased<R> = { readonly [K in keyof R as K extends string ? CamelCase<K> : K]: R[K] };

/** Copies the given members under camelCase keys. */
export function camelCased<R extends object>(request: R): CamelCased<R> {
  const given = Object.entries(request).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([key, value]) => [camelCase(key), value as unknown])) as CamelCased<R>;
}

/** Converts a snake_case name to camelCase. */
export function camelCase(name: string): string {
  return name.replaceAll(/_(.)/g, (_match, letter: string) => letter.toUpperCase());
}

interface Bounds {
  readonly min?: number;
  readonly max?: number;
}

/** Declares a table of settings. */
export function table<const M extends Members>(doc: string, members: M): Section<M> {
  return { kind: 'section', doc, members };
}

/** Declares a boolean setting. */
export function bool(value: boolean, doc: string) {
  return { kind: 'bool', default: value, doc } as const;
}

/** Declares a whole number with a minimum of 0 unless the bounds differ. */
export function int<D extends number | null>(value: D, bounds: Bounds, doc: string) {
  return { kind: 'int', default: value, min: 0, ...bounds, doc } as const;
}

/** Declares a number with a minimum of 0 unless the bounds differ. */
export function number<D extends number | null>(value: D, bounds: Bounds, doc: string) {
  return { kind: 'number', default: value, min: 0, ...bounds, doc } as const;
}

/** Declares a text, which may be empty unless a pattern, which is also given in words, forbids it. */
export function text(value: string, doc: string, pattern?: RegExp, patternDoc?: string) {
  return { kind: 'text', default: value, pattern, patternDoc, doc } as const;
}

/** Declares a text that is never shown. */
export function secret(value: string, doc: string) {
  return { kind: 'text', default: value, secret: true, doc } as const;
}

/** Declares the choice of a component: one of the known names, or the id of a plugin's contribution. */
export function component(value: string, known: readonly string[], doc: string) {
  return { kind: 'text', default: value, known, pattern: /^\S+$/, patternDoc: 'a name without spaces', doc } as const;
}

/** Declares a value of a closed list. */
export function oneOf<const V extends string, const D extends V | null>(value: D, values: readonly V[], doc: string) {
  return { kind: 'enum', default: value, values, doc } as const;
}

/** Declares an http or https URL. */
export function url(value: string, doc: string) {
  return { kind: 'url', default: value, doc } as const;
}

/** Declares a path. */
export function path(value: string, doc: string) {
  return { kind: 'path', default: value, doc } as const;
}

/** Declares a list of texts. */
export function texts<D extends readonly string[] | null>(value: D, doc: string) {
  return { kind: 'texts', default: value, doc } as const;
}

/** Declares a list of paths. */
export function paths(doc: string) {
  return { kind: 'paths', default: [] as readonly string[], doc } as const;
}

/** The value of a setting that nothing sets. */
export function defaultOf(field: Field): unknown {
  if (field.kind === 'tables') return [];
  if (field.kind === 'free_table') return {};
  return field.kind === 'time' ? null : (field.default ?? null);
}

/** Every accepted value of a list, aliases last; undefined when any is. */
export function spellingsOf({ values, aliases = {} }: FieldShapeOf<'texts'>): readonly string[] | undefined {
  return values === undefined ? undefined : [...values, ...Object.keys(aliases)];
}
