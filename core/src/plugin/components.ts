import type { Contributions, PluginKind } from './contributions.ts';
import type { TrustPolicy } from './trust-policy.ts';

/** A contribution as its manifest declares it, known without loading code. */
export interface ComponentName {
  readonly kind: PluginKind;
  readonly id: string;
  readonly plugin: string;
  readonly pluginVersion: string;
  /** The permissions of its plugin, and how its failures are handled. */
  readonly policy: TrustPolicy;
  /** The secrets in the configuration of its plugin, which must not appear in messages about its failures. */
  readonly secrets?: (() => readonly string[]) | undefined;
}

/** The name and version of the plugin that contributes something; the id of the contribution itself if none does. */
export function pluginOf(
  names: readonly ComponentName[],
  id: string,
): { readonly name: string; readonly version: string } {
  const named = names.find((one) => one.id === id);
  return { name: named?.plugin ?? id, version: named?.pluginVersion ?? '' };
}

/** How a store is opened: searches read, ingests write. Other components ignore it. */
export type Access = 'read' | 'write';

/**
 * Gives use cases the components that plugins contribute. Each is created at most once per access, on first use. Errors: `plugin_failed`
 * when a factory throws or its plugin does not load, `readonly_mode` for write access in read-only mode, and whatever the component itself
 * reports (`not_indexed` for a missing database).
 */
export interface Components {
  /** Every active contribution of a kind, preferred first. */
  list(kind: PluginKind): readonly ComponentName[];
  /** The contribution with this id. Throws `config_invalid` when no active plugin contributes it. */
  get<K extends PluginKind>(kind: K, id: string, access?: Access): Promise<Contributions[K]>;
  /** The language model with this id, opened with another model than the configured one. Errors as for {@link get}. */
  languageModel(id: string, model: string): Promise<Contributions['llm']>;
  /** The contribution of a kind that the configuration chooses, or else the preferred one. */
  first<K extends PluginKind>(kind: K, access?: Access): Promise<Contributions[K]>;
  /** All contributions of a kind, preferred first; one that fails to load is left out and reported as failed. */
  all<K extends PluginKind>(kind: K): Promise<readonly Contributions[K][]>;
}
