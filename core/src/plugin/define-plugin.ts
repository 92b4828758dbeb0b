import type { Clock, DerivationCache, Logger } from '../contracts/contribution.ts';
import type { CommittedDocuments } from './committed-documents.ts';
import type { Contributions, PluginKind } from './contributions.ts';
import type { KindSettings } from '../settings/kind-settings.ts';
import type { SectionValues } from '../settings/plugin-section.ts';

/** The version of the contracts that this kebab speaks; raised on every breaking change. */
export const PLUGIN_API = 1;

/** What a plugin may touch. Workers enforce what Node can enforce; the rest is a declaration shown at enabling. */
export interface PluginPermissions {
  readonly fs: 'none' | 'input-only' | 'data-dir';
  /** Hosts it may connect to. */
  readonly net: readonly string[];
  /** Programs it may start. */
  readonly spawn: readonly string[];
}

/** What a plugin touches that declares nothing. */
export const NO_PERMISSIONS: PluginPermissions = Object.freeze({ fs: 'none', net: [], spawn: [] });

/** What a factory is given. */
export interface PluginContext<Config = unknown> {
  /** The plugin's configuration, validated by its own schema. */
  readonly config: Config;
  readonly log: Logger;
  readonly cache: DerivationCache;
  /** A folder for passing files; emptied when the program ends. */
  readonly tmpDir: string;
  /**
   * A folder of the plugin's own that stays, one for each knowledge base; made when it is first asked for. Present only when
   * `permissions.fs` is `data-dir`.
   */
  readonly dataDir?: string | undefined;
  readonly clock: Clock;
  /** Present only when `permissions.net` names hosts. */
  readonly fetch?: typeof fetch;
  /** Opens what is committed for reading, for retrievers; absent where extractors run. Errors: `not_indexed`. */
  readonly documents?: () => Promise<CommittedDocuments>;
  /**
   * The id of the knowledge base, 32 hex digits: what several of them keep on one server is told apart by it. Absent where
   * extractors run. Errors: `not_indexed` while there is no database.
   */
  readonly knowledgeBase?: () => Promise<string>;
}

/** Makes one contribution; runs at most once, on first use, and imports heavy libraries then. */
export type Factory<T, Config> = (context: PluginContext<Config>) => T | Promise<T>;

/**
 * What kebab's own configuration says for a plugin: the settings of the kinds it contributes, of which the others are not there,
 * and the values of its own section.
 */
export interface GivenSettings extends KindSettings {
  readonly section: SectionValues;
}

/** A plugin: data with factories in it. It can be listed, checked and documented without running anything. */
export interface Plugin<Config = unknown> {
  /** Said by its package.json, as are the version, the API version and the permissions; a single file without one says them here. */
  readonly name?: string | undefined;
  readonly version?: string | undefined;
  /** {@link PLUGIN_API} at the time it was written. */
  readonly apiVersion?: number | undefined;
  /** Ignored: `apiVersion` and the npm peer range of `@kebab/core` say what fits. */
  readonly kebab?: string | undefined;
  /** Checks its configuration, and gives `context.config` its type. */
  readonly config?: StandardSchema<Config>;
  /**
   * What it takes of kebab's own settings: becomes its configuration, under what is written for it in `plugins`. Without it that
   * is its own section as it stands.
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

/** The outcome of a validation: a value, or what is wrong with it. */
export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

/** One thing that is wrong with a value. */
export interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}
