/** The members that every configuration key has. */
interface KeyBase {
  /** One sentence, for the file that `init` writes and for the documentation. */
  readonly doc: string;
}

/** A boolean key. */
export interface BoolKey extends KeyBase {
  readonly kind: 'bool';
  readonly default: boolean;
}

/** A whole number or a number, within bounds; a default of null means that the key may be left unset. */
export interface NumberKey<D extends number | null = number | null> extends KeyBase {
  readonly kind: 'int' | 'number';
  readonly default: D;
  readonly min: number;
  /** The inclusive maximum; null when there is none. */
  readonly max: number | null;
}

/** A text. */
export interface TextKey extends KeyBase {
  readonly kind: 'text';
  readonly default: string;
  /** Never shown: views, messages and logs contain `***` instead. */
  readonly secret: boolean;
  /** Values with a meaning independent of plugins; any other value is the id of a plugin's contribution. */
  readonly known: readonly string[];
  /** A pattern that the whole text must match. */
  readonly pattern: RegExp | null;
}

/** One value of a closed list; a default of null means that the key may be left unset. */
export interface EnumKey<V extends string = string, D extends V | null = V | null> extends KeyBase {
  readonly kind: 'enum';
  readonly default: D;
  readonly values: readonly V[];
}

/** An http or https URL. In a project file, a URL beyond loopback takes effect only once that file is trusted. */
export interface UrlKey extends KeyBase {
  readonly kind: 'url';
  readonly default: string;
}

/** A path: expanded and made absolute. A relative one is relative to the file that contains it, or to the working directory. */
export interface PathKey extends KeyBase {
  readonly kind: 'path';
  readonly default: string;
}

/** A list of texts, or of paths; a default of null means that the key may be left unset. */
export interface ListKey<D extends readonly string[] | null = readonly string[] | null> extends KeyBase {
  readonly kind: 'texts' | 'paths';
  readonly default: D;
}

/** A table whose members kebab does not define. */
export interface FreeTableKey extends KeyBase {
  readonly kind: 'free_table';
}

/** A list of tables with their own fields; empty by default. */
export interface TablesKey<N extends 'sources' | 'plugins' = 'sources' | 'plugins'> extends KeyBase {
  readonly kind: 'tables';
  readonly of: N;
  readonly fields: Readonly<Record<string, ConfigKey>>;
  readonly required: readonly string[];
  /** The field that a plain string sets; null when each entry must be a table. */
  readonly shorthand: string | null;
}

/** One configuration key, as data from which everything else about it is derived. */
export type ConfigKey = BoolKey | NumberKey | TextKey | EnumKey | UrlKey | PathKey | ListKey | FreeTableKey | TablesKey;

/** A table of the configuration file. */
export interface Section<M extends Readonly<Record<string, ConfigKey | Section>> = Members> extends KeyBase {
  readonly kind: 'section';
  readonly members: M;
}

/** The keys and tables of a table, by name. */
export interface Members {
  readonly [name: string]: ConfigKey | Section;
}

interface Bounds {
  readonly min?: number;
  readonly max?: number;
}

/** Declares a table. */
export function table<const M extends Members>(doc: string, members: M): Section<M> {
  return { kind: 'section', doc, members };
}

/** Declares a boolean key. */
export function bool(value: boolean, doc: string): BoolKey {
  return { kind: 'bool', default: value, doc };
}

/** Declares a whole number with a minimum of 0 unless the bounds differ. */
export function int<D extends number | null>(value: D, bounds: Bounds, doc: string): NumberKey<D> {
  return { kind: 'int', default: value, min: bounds.min ?? 0, max: bounds.max ?? null, doc };
}

/** Declares a number with a minimum of 0 unless the bounds differ. */
export function number<D extends number | null>(value: D, bounds: Bounds, doc: string): NumberKey<D> {
  return { kind: 'number', default: value, min: bounds.min ?? 0, max: bounds.max ?? null, doc };
}

/** Declares a text, which may be empty unless a pattern forbids it. */
export function text(value: string, doc: string, pattern: RegExp | null = null): TextKey {
  return { kind: 'text', default: value, secret: false, known: [], pattern, doc };
}

/** Declares a text that is never shown. */
export function secret(value: string, doc: string): TextKey {
  return { kind: 'text', default: value, secret: true, known: [], pattern: null, doc };
}

/** Declares the choice of a component: one of the known names, or the id of a plugin's contribution. */
export function component(value: string, known: readonly string[], doc: string): TextKey {
  return { kind: 'text', default: value, secret: false, known, pattern: /^\S+$/, doc };
}

/** Declares a value of a closed list. */
export function oneOf<const V extends string, const D extends V | null>(
  value: D,
  values: readonly V[],
  doc: string,
): EnumKey<V, D> {
  return { kind: 'enum', default: value, values, doc };
}

/** Declares an http or https URL. */
export function url(value: string, doc: string): UrlKey {
  return { kind: 'url', default: value, doc };
}

/** Declares a path. */
export function path(value: string, doc: string): PathKey {
  return { kind: 'path', default: value, doc };
}

/** Declares a list of texts. */
export function texts<D extends readonly string[] | null>(value: D, doc: string): ListKey<D> {
  return { kind: 'texts', default: value, doc };
}

/** Declares a list of paths. */
export function paths(doc: string): ListKey<readonly string[]> {
  return { kind: 'paths', default: [], doc };
}

/** Converts `max_chunk_tokens` to `maxChunkTokens`. */
export type CamelCase<S extends string> = S extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : S;

/** The resolved value of a key with a single value; null where it may be left unset. */
export type SimpleValue<K> = K extends BoolKey
  ? boolean
  : K extends NumberKey<infer D>
    ? number | Extract<D, null>
    : K extends EnumKey<infer V, infer D>
      ? V | Extract<D, null>
      : K extends TextKey | UrlKey | PathKey
        ? string
        : K extends ListKey
          ? readonly string[]
          : K extends FreeTableKey
            ? unknown
            : never;

/** Converts a configuration name to camelCase. */
export function camelCase(name: string): string {
  let spelt = name;
  for (let at = spelt.indexOf('_'); at >= 0; at = spelt.indexOf('_', at + 1))
    spelt = spelt.slice(0, at) + spelt.charAt(at + 1).toUpperCase() + spelt.slice(at + 2);
  return spelt;
}
