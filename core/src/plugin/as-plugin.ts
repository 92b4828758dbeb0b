import { PLUGIN_KINDS, type PluginKind } from './contributions.ts';
import type { Plugin, PluginPermissions } from './define-plugin.ts';
import type { PluginManifest } from './manifest.ts';
import { checkApiVersion, permissionsOf } from './read-manifest.ts';

/** A plugin with everything that its package.json or its code says of it. */
export interface NamedPlugin extends Plugin {
  readonly name: string;
  readonly version: string;
  readonly apiVersion: number;
  readonly permissions: PluginPermissions;
}

/** Where the default export of a module comes from. */
export interface PluginSite {
  readonly specifier: string;
  /** What its package.json says; null for a single file, which says it in its code. */
  readonly manifest: Pick<PluginManifest, 'name' | 'version' | 'apiVersion' | 'permissions'> | null;
}

/**
 * Takes the default export of a module for a plugin. Throws `plugin_incompatible` when its API version does not fit,
 * which is looked at first, and a plain error when it is not a plugin at all.
 */
export function asPlugin(value: unknown, { specifier, manifest }: PluginSite): NamedPlugin {
  if (typeof value !== 'object' || value === null) throw new Error('its default export is not a plugin');
  const plugin = value as Partial<Plugin>;
  const name = plugin.name ?? manifest?.name;
  const version = plugin.version ?? manifest?.version;
  const apiVersion = plugin.apiVersion ?? manifest?.apiVersion;
  checkApiVersion(typeof name === 'string' ? name : specifier, apiVersion);
  if (typeof name !== 'string' || typeof version !== 'string')
    throw new Error('its default export has no name and version, and there is no package.json that says them');
  if (typeof plugin.contributes !== 'object' || plugin.contributes === null)
    throw new Error('its default export contributes nothing');
  const unknown = Object.keys(plugin.contributes).find((kind) => !PLUGIN_KINDS.includes(kind as PluginKind));
  if (unknown !== undefined) throw new Error(`it contributes "${unknown}", which is not a kind kebab knows`);
  return {
    ...plugin,
    name,
    version,
    apiVersion: apiVersion as number,
    permissions: permissionsOf(plugin.permissions ?? manifest?.permissions),
    contributes: plugin.contributes,
  };
}
