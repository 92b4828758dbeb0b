import { PLUGIN_KINDS, type PluginKind } from './contributions.ts';
import type { Plugin } from './define-plugin.ts';
import { checkApiVersion } from './read-manifest.ts';

/**
 * Takes the default export of a module for a plugin. Throws `plugin_incompatible` when its API version does not fit,
 * which is looked at first, and a plain error when it is not a plugin at all.
 */
export function asPlugin(value: unknown, specifier: string): Plugin {
  if (typeof value !== 'object' || value === null) throw new Error('its default export is not a plugin');
  const plugin = value as Partial<Plugin>;
  checkApiVersion(typeof plugin.name === 'string' ? plugin.name : specifier, plugin.apiVersion);
  if (typeof plugin.name !== 'string' || typeof plugin.version !== 'string')
    throw new Error('its default export has no name and version');
  if (typeof plugin.contributes !== 'object' || plugin.contributes === null)
    throw new Error('its default export contributes nothing');
  const unknown = Object.keys(plugin.contributes).find((kind) => !PLUGIN_KINDS.includes(kind as PluginKind));
  if (unknown !== undefined) throw new Error(`it contributes "${unknown}", which is not a kind kebab knows`);
  return plugin as Plugin;
}
