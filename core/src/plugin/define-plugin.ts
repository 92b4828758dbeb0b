import type { Clock, DerivationCache, Logger } from '../contracts/contribution.ts';
import type { CommittedDocuments } from './committed-documents.ts';
import type { Contributions, PluginKind } from './contributions.ts';
import type { StandardSchema } from './standard-schema.ts';

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

/** What a factory is given. */
export interface PluginContext<Config = unknown> {
  /** The plugin's configuration, validated by its own schema. */
  readonly config: Config;
  readonly log: Logger;
  readonly cache: DerivationCache;
  /** A folder for passing files; emptied when the program ends. */
  readonly tmpDir: string;
  readonly clock: Clock;
  /** Present only when `permissions.net` names hosts. */
  readonly fetch?: typeof fetch;
  /** Opens what is committed for reading, for retrievers; absent where extractors run. Errors: `not_indexed`. */
  readonly documents?: () => Promise<CommittedDocuments>;
}

/** Makes one contribution; runs at most once, on first use, and imports heavy libraries then. */
export type Factory<T, Config> = (context: PluginContext<Config>) => T | Promise<T>;

/** A plugin: data with factories in it. It can be listed, checked and documented without running anything. */
export interface Plugin<Config = unknown> {
  readonly name: string;
  readonly version: string;
  /** {@link PLUGIN_API} at the time it was written. */
  readonly apiVersion: number;
  /** Ignored: `apiVersion` and the npm peer range of `@kebab/core` say what fits. */
  readonly kebab?: string | undefined;
  readonly config?: StandardSchema<Config>;
  readonly permissions: PluginPermissions;
  readonly contributes: {
    readonly [K in PluginKind]?: { readonly [id: string]: Factory<Contributions[K], Config> };
  };
}

/** Declares a plugin. It returns its argument; the call gives `context.config` its type. */
export function definePlugin<Config = unknown>(plugin: Plugin<Config>): Plugin<Config> {
  return plugin;
}
