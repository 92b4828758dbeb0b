import type { PluginKind } from './contributions.ts';
import type { PluginSection } from '../settings/plugin-section.ts';
import type { PluginPermissions } from './define-plugin.ts';

/** What a package says of its plugin in the `kebab` member of package.json: readable without running code. */
export interface PluginManifest {
  readonly name: string;
  readonly version: string;
  readonly apiVersion: number;
  /** Ids by kind. */
  readonly contributes: { readonly [K in PluginKind]?: readonly string[] };
  readonly permissions: PluginPermissions;
  /** Its table of kebab's configuration, if it has one. */
  readonly section?: PluginSection | undefined;
}

/** A plugin that comes with kebab: its manifest, and its module, loaded when one of its contributions is first used. */
export interface BuiltinPlugin {
  readonly manifest: PluginManifest;
  readonly load: () => Promise<{ readonly default: unknown }>;
}
