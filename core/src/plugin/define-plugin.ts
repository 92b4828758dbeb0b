import type { Clock, DerivationCache, Logger } from '../contracts/contribution.ts';
import type { CommittedDocuments } from './committed-documents.ts';
import type { Contributions, PluginKind } from './contributions.ts';
import type { ProxySettings } from './proxy-settings.ts';
import { problemWith } from '../schema/value.ts';
import type { FieldShape } from '../schema/field.ts';
import type { KindSettings } from '../schema/kind-settings.ts';
import type { SectionValues } from '../schema/plugin-section.ts';

/** The version of the plugin API; raised on every breaking change. */
export const PLUGIN_API = 1;

/** The accesses a plugin is allowed. Its process enforces what Node can enforce; the rest is a declaration shown when the plugin is enabled. */
export interface PluginPermissions {
  /**
   * The files it may access besides its code and `context.tmpDir`: none; any for reading (`input-only`, for sources and everything else that
   * opens the user's files itself); its `context.dataDir` for reading and writing. An extractor is passed bytes and needs `none`.
   */
  readonly fs: 'none' | 'input-only' | 'data-dir';
  /** Hosts it may connect to. */
  readonly net: readonly string[];
  /** Programs it may start. */
  readonly spawn: readonly string[];
}

/** The permissions of a plugin that declares none. */
export const NO_PERMISSIONS: PluginPermissions = Object.freeze({ fs: 'none', net: [], spawn: [] });

/** The argument of a factory. */
export interface PluginContext<Config = unknown> {
  /** The plugin's configuration, validated by its own schema. */
  readonly config: Config;
  readonly log: Logger;
  readonly cache: DerivationCache;
  /** A folder for exchanging files; emptied when the program ends. */
  readonly tmpDir: string;
  /**
   * A persistent folder of the plugin's own, one per knowledge base; created on first access. Present only when `permissions.fs` is
   * `data-dir`.
   */
  readonly dataDir?: string | undefined;
  readonly clock: Clock;
  /** Present only when `permissions.net` names hosts. */
  readonly fetch?: typeof fetch;
  /** The proxies that the environment names, for servers on other machines; absent if it names none. */
  readonly proxies?: ProxySettings | undefined;
  /** Opens the committed documents for reading, for retrievers; absent where extractors run. Errors: `not_indexed`. */
  readonly documents?: () => Promise<CommittedDocuments>;
  /**
   * The id of the knowledge base, 32 hex digits: it separates knowledge bases on a shared server. Absent where extractors run. Errors:
   * `not_indexed` while there is no database.
   */
  readonly knowledgeBase?: () => Promise<string>;
}

/** Creates one contribution; runs at most once, on first use, and imports heavy libraries then. */
export type Factory<T, Config> = (context: PluginContext<Config>) => T | Promise<T>;

/**
 * The part of kebab's own configuration that a plugin receives: the settings of the kinds it contributes, and the values of its own
 * section.
 */
export interface GivenSettings extends KindSettings {
  readonly section: SectionValues;
}

/** A plugin: data with factories in it. It can be listed, checked and documented without running anything. */
export interface Plugin<Config = unknown> {
  /**
   * Declared in its package.json, as are the version, the API version and the permissions; a single file without one declares them here.
   */
  readonly name?: string | undefined;
  readonly version?: string | undefined;
  /** The value of {@link PLUGIN_API} that the plugin was written for. */
  readonly apiVersion?: number | undefined;
  /** The range of kebab versions that it supports, in npm syntax: `^1`, `>=0.1 <2`. Absent means any version; before 1.0, `^1` fits too. */
  readonly kebab?: string | undefined;
  /** Validates its configuration, and gives `context.config` its type. */
  readonly config?: StandardSchema<Config>;
  /**
   * Derives the plugin's configuration from kebab's own settings; members set for it in `plugins` override the result. Without this method,
   * it is the plugin's own section unchanged.
   */
  settings?(given: GivenSettings): unknown;
  readonly permissions?: PluginPermissions | undefined;
  readonly contributes: {
    readonly [K in PluginKind]?: { readonly [id: string]: Factory<Contributions[K], Config> };
  };
}

/** Declares a plugin. It returns its argument; the call gives `context.config` its type. */
export function definePlugin<Config = unknown>(plugin: Plugin<Config>): Plugin<Config> {
  return plugin;
}

/** Standard Schema v1: zod 4, valibot and arktype all implement it, so a plugin brings whichever copy it likes. */
export interface StandardSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}

/** The outcome of a validation: a value, or the issues found. */
export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

/** One issue with a value. */
export interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** Describes what is wrong with a value; undefined when it is valid. */
type ConfigCheck = (value: unknown) => string | undefined;

/** The check and the default value of each member of a configuration. */
interface ConfigRules {
  readonly checks: Readonly<Record<string, ConfigCheck | ConfigRules>>;
  readonly defaults?: Readonly<Record<string, unknown>>;
}

/** Checks of single values, for {@link checkedConfig}. */
export const checks = {
  /** Any string. */
  text: fits({ kind: 'text' }),
  /** A non-empty string. */
  name: fits({ kind: 'text', notBlank: true }),
  /** A non-empty list of non-empty strings. */
  names: fits({ kind: 'texts', notBlank: true }),
  /** An http or https URL. */
  httpUrl: fits({ kind: 'url' }),
  /** True or false. */
  flag: fits({ kind: 'bool' }),
  /** A whole number from 1. */
  count: fits({ kind: 'int', min: 1 }),
  /** A whole number from 0; for milliseconds, 0 means no limit. */
  limit: fits({ kind: 'int', min: 0 }),
  /** A number from 0 to 1. */
  share: fits({ kind: 'number', min: 0, max: 1 }),
  /** One of several strings. */
  oneOf: (...values: readonly string[]): ConfigCheck => fits({ kind: 'enum', values }),
  /** A string that matches a pattern, which is described in words. */
  matching: (pattern: RegExp, what: string): ConfigCheck => fits({ kind: 'text', pattern, patternDoc: what }),
  /** A value that another check accepts, or null. */
  orNull: (check: ConfigCheck): ConfigCheck => allowing({ other: null, named: 'null' }, check),
  /** A value that another check accepts, or the empty string. */
  orEmpty: (check: ConfigCheck): ConfigCheck => allowing({ other: '', named: 'the empty text' }, check),
  /** A value that another check accepts, or no value. */
  optional: (check: ConfigCheck): ConfigCheck => allowing({ other: undefined, named: 'nothing' }, check),
} as const;

/**
 * Creates a Standard Schema from rules, for plugins that must not load a schema library at every start. Omitted members get their defaults;
 * a member without a default is required; other members are rejected as `unknown key`. `T` is the type that the rules describe.
 */
export function checkedConfig<T>(rules: ConfigRules): StandardSchema<T> {
  const validate = (value: unknown): SchemaResult<T> => {
    const { filled, issues } = applied(rules, value, []);
    return issues.length > 0 ? { issues } : { value: filled as T };
  };
  return { '~standard': { version: 1, vendor: 'kebab', validate } };
}

interface Applied {
  readonly filled: unknown;
  readonly issues: readonly SchemaIssue[];
}

function applied({ checks: members, defaults }: ConfigRules, value: unknown, path: readonly string[]): Applied {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { filled: value, issues: [{ message: 'expected a table', ...(path.length > 0 && { path }) }] };
  const settings: Readonly<Record<string, unknown>> = { ...defaults, ...value };
  const results = Object.entries(members).map(([key, check]): readonly [string, Applied] => {
    const at = [...path, key];
    if (typeof check !== 'function') return [key, applied(check, settings[key], at)];
    const message = check(settings[key]);
    return [key, { filled: settings[key], issues: message === undefined ? [] : [{ message, path: at }] }];
  });
  const unknown = Object.keys(settings)
    .filter((key) => !Object.hasOwn(members, key))
    .map((key): SchemaIssue => ({ message: 'unknown key', path: [...path, key] }));
  return {
    filled: Object.fromEntries(results.map(([key, { filled }]) => [key, filled])),
    issues: [...results.flatMap(([, { issues }]) => issues), ...unknown],
  };
}

/** The check of a member, declared like a setting of kebab. */
function fits(field: FieldShape): ConfigCheck {
  return (value) => {
    const problem = problemWith(field, value);
    return problem === undefined ? undefined : `expected ${problem.expected}`;
  };
}

function allowing(
  { other, named }: { readonly other: null | '' | undefined; readonly named: string },
  check: ConfigCheck,
): ConfigCheck {
  return (value) => {
    const message = value === other ? undefined : check(value);
    return message === undefined ? undefined : `${message}, or ${named}`;
  };
}
